"""What mcmini knows about the run."""


class Story:
    """A position is what is between two steps: position n comes after n steps."""

    def __init__(self, data):
        self.threads = data["threads"]
        self.steps = data["steps"]
        self.positions = data["positions"]
        self.total = len(self.steps)
        self.kind = data["kind"]
        self.headline = data["headline"]
        self.offender = data["offender"]
        self.width = max(len(name) for name in self.threads + ["thread"])

    def state_at(self, position):
        """What each thread does next, and what is known of each object."""
        pending, objects = {}, {}
        for changes in self.positions[:position + 1]:
            for following in changes["next"]:
                pending[following["thread"]] = following
            for name, state in changes["objects"]:
                objects[name] = state
        return pending, {name: state for name, state in objects.items() if state}

    def length(self):
        return "%d step%s" % (self.total, "" if self.total == 1 else "s")

    def name_of_mover(self, step):
        return self.threads[self.steps[step - 1]["thread"]]

    def call(self, step):
        """The call of a step with what it returned, and words about that."""
        call, result = self.steps[step - 1]["call"], self.steps[step - 1]["result"]
        if " " in result:
            return call, "  (%s)" % result
        return call + (" = " + result if result else ""), ""

    def row(self, step):
        """The step in the schedule."""
        call, remark = self.call(step)
        row = "%5d  %-*s  %-40s %s" % (step, self.width, self.name_of_mover(step), call, self.steps[step - 1]["place"])
        return row.rstrip() + remark

    def sentence(self, step):
        call, remark = self.call(step)
        place = self.steps[step - 1]["place"]
        return "%s: %s%s%s" % (self.name_of_mover(step), call, " at " + place if place else "", remark)

    def next_words(self, following, position):
        if following["ended"]:
            return "has ended"
        if not following["call"]:
            return {"stuck": "reaches no other operation", "exit": "ends"}.get(self.kind, "crashes")
        words = following["call"] + (" at " + following["place"] if following["place"] else "")
        at_end = position == self.total
        if following["can"]:
            return words + (": the mistake" if at_end and following["thread"] == self.offender else "")
        waits_for = " or ".join(following["waitsFor"])
        for_good = ", for good" if at_end and self.kind == "deadlock" else ""
        return words + ": waits" + (" for " + waits_for if waits_for else "") + for_good
