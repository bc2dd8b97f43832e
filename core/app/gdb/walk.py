"""Where the user is in the schedule."""

import os
import shlex

import gdb

from . import frames
from .program import Program
from .story import Story
from .words import say, write


class NoConfirmation:
    """gdb does not ask before it starts the program again."""

    def __enter__(self):
        self.before = gdb.parameter("confirm")
        gdb.execute("set confirm off")

    def __exit__(self, *_):
        gdb.execute("set confirm " + ("on" if self.before else "off"))


class UsersBreakpointsOff:
    """What comes before the step that the user wants to see again is of no interest."""

    def __enter__(self):
        self.disabled = [b for b in gdb.breakpoints() or () if b.number > 0 and b.enabled]
        for breakpoint in self.disabled:
            breakpoint.enabled = False

    def __exit__(self, *_):
        for breakpoint in self.disabled:
            if breakpoint.is_valid():
                breakpoint.enabled = True


def breakpoint_at_steps():
    """libmcmini is not loaded yet; that gdb says so is hidden."""
    kept, null = os.dup(2), os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, 2)
    try:
        ours = gdb.Breakpoint("mcmini_at_step", internal=True)
    finally:
        os.dup2(kept, 2)
        os.close(kept)
        os.close(null)
    ours.silent = True
    return ours


def read_all_registers():
    """Where a signal is about to end the program, gdb stumbles over threads that it has not looked at yet."""
    selected = gdb.selected_thread()
    for thread in gdb.selected_inferior().threads():
        thread.switch()
        gdb.newest_frame().pc()
    selected.switch()


class Walk:
    def __init__(self, data):
        self.story = Story(data)
        self.program = Program()
        self.wrapper = " ".join(shlex.quote(word) for word in data["wrapper"])
        self.ours = breakpoint_at_steps()
        self.at_step = False  # or somewhere within a step
        self.signal = None  # that has stopped the program
        self.status = None  # with which it has ended, if it has
        self.busy = False  # a command of ours moves the program, and tells what is to be told
        self.told_of_lines = data["debugInfo"]
        gdb.events.stop.connect(self.on_stop)
        gdb.events.exited.connect(self.on_exit)
        self.begin_at(0, quiet=False)

    # How the program moves.

    def begin_at(self, step, quiet):
        """What `run` does."""
        gdb.execute("set exec-wrapper %s %d %d" % (self.wrapper, step, quiet))

    def start(self, step):
        """From the beginning, and quietly, up to the step."""
        self.begin_at(step, quiet=step > 0)
        try:
            with NoConfirmation(), UsersBreakpointsOff():
                self.move("run", step)
        finally:
            self.begin_at(0, quiet=False)

    def move(self, command, step):
        """Up to the step, unless something else stops the program. Returns what gdb has to say about it."""
        self.busy = True
        self.signal = self.status = None
        try:
            words = gdb.execute(command, to_string=True)
            while self.is_foreseen_crash():
                self.program.stop_at(step)
                words = gdb.execute("continue", to_string=True)
            return words.replace("Continuing.\n", "")
        finally:
            self.busy = False

    def is_foreseen_crash(self):
        """A thread crashes and stops there; the schedule goes on without it."""
        if self.signal is None or not self.program.is_ready():
            return False
        step = self.program.step()
        return 0 < step < self.story.total and self.story.steps[step - 1]["stops"]

    def on_stop(self, event):
        self.at_step = isinstance(event, gdb.BreakpointEvent) and self.ours in event.breakpoints
        self.signal = event.stop_signal if isinstance(event, gdb.SignalEvent) else None
        self.status = None
        if not self.program.is_ready():
            return
        self.program.stop_at(self.story.total)
        frames.hide_module_at(self.program.address())  # libmcmini may be loaded by another name
        for number, thread in self.debugger_threads().items():
            thread.name = self.story.threads[number]
        if self.signal is not None:
            read_all_registers()
        if not self.busy and (self.at_step or self.signal is not None):
            self.show()

    def on_exit(self, event):
        self.at_step = False
        self.signal = None
        self.status = getattr(event, "exit_code", None)
        if not self.busy and self.status is not None:
            self.say_end()

    def is_over(self):
        return not self.program.is_alive()

    def position(self):
        """So many steps are behind, or almost."""
        if self.is_over():
            return self.story.total
        return self.program.step() if self.program.is_ready() else 0

    def debugger_threads(self):
        return self.program.debugger_threads(len(self.story.threads))

    def leave_call(self):
        """`next` and `step` begin where the selected thread has returned to the user's code."""
        frame = frames.users_frame() if self.at_step else None
        if frame is None or frames.is_users(gdb.newest_frame()):
            return
        back_there = gdb.Breakpoint("*%d" % frame.pc(), internal=True, temporary=True)
        back_there.thread = gdb.selected_thread().global_num
        back_there.silent = True
        words = self.move("continue", self.story.total)
        if not back_there.is_valid():
            return
        back_there.delete()
        self.tell(words)
        raise gdb.GdbError("The thread does not return from its call in this schedule.")

    # What the user sees.

    def show(self):
        if self.is_over():
            return self.say_end()
        if self.program.has_strayed():
            return self.say_strayed()
        step = self.position()
        if self.signal is None:
            words = self.story.sentence(step) if step > 0 else "nothing has happened yet"
            say("step %d of %d: %s" % (step, self.story.total, words))
        self.select_users_frame()
        if step == self.story.total:
            say(self.story.headline)

    def tell(self, words):
        """After a move; unless it stopped at a step, what gdb has to say comes first."""
        if not self.at_step and not self.is_over():
            write(words)
            if self.signal is None:
                return
        self.show()

    def say_end(self):
        status = "" if self.status is None else " with status %d" % self.status
        say("the program has ended%s. mcmini back and mcmini goto STEP run it again." % status)
        if self.story.kind == "exit":
            say(self.story.headline)

    def say_strayed(self):
        say("after step %d the program does something else than when the bug was found. Does it repeat itself? "
            "Check it again." % self.program.step())

    def say_no_more(self):
        if self.story.kind == "deadlock":
            say("nobody can move: this is the deadlock. mcmini pending tells who waits for whom.")
        else:
            say("the schedule ends here: %s" % self.story.headline)

    def select_users_frame(self):
        """Of the thread that moved last; if it has none any more, of one that has."""
        threads = self.debugger_threads()
        numbers = [self.program.mover()] if self.at_step else []
        selected = gdb.selected_thread()
        numbers += [number for number, thread in threads.items() if thread == selected and not self.at_step]
        step = self.position()
        if step < self.story.total:
            numbers.append(self.story.steps[step]["thread"])
        for number in numbers + list(threads):
            if self.select_frame_of(threads.get(number)):
                if numbers and number != numbers[0]:
                    say("this is %s; %s has left its function" %
                        (self.story.threads[number], self.story.threads[numbers[0]]))
                if self.signal is None or gdb.selected_frame() != gdb.newest_frame():  # or gdb shows it itself
                    gdb.execute("frame")
                return self.mention_debug_info()
        selected.switch()

    def show_users_frame(self):
        """Of the thread that the user has selected."""
        if gdb.selected_thread() is None or not frames.is_hidden(gdb.newest_frame()):
            return
        if gdb.selected_frame() == gdb.newest_frame() and self.select_frame_of(gdb.selected_thread()):
            gdb.execute("frame")

    @staticmethod
    def select_frame_of(thread):
        if thread is None or not thread.is_valid():
            return False
        thread.switch()
        frame = frames.users_frame()
        if frame is not None:
            frame.select()
        return frame is not None

    def mention_debug_info(self):
        if not self.told_of_lines:
            self.told_of_lines = True
            say("the program has no debug information: compile it with -g to see its lines and variables.")

    # Commands.

    def forward(self, count):
        if self.is_over():
            return self.say_end()
        step = self.position()
        if step == self.story.total and self.at_step:
            return self.say_no_more()
        if step == self.story.total and self.signal is not None:
            return say("the program ends here: %s" % self.story.headline)
        goal = min(self.story.total, step + count - (0 if self.at_step else 1))
        if self.program.is_ready():
            self.program.stop_at(goal)
        self.tell(self.move("continue", goal))

    def goto(self, step):
        if step > self.story.total:
            raise gdb.GdbError("There are the steps 0 to %d." % self.story.total)
        here = self.position()
        may_go_on = not self.is_over() and self.signal is None and not self.program.has_strayed()
        if may_go_on and self.at_step and step == here:
            return self.show()
        if may_go_on and step >= here:
            return self.forward(step - here + (0 if self.at_step else 1))
        self.start(step)
        self.tell("")

    def back(self, count):
        self.goto(max(0, self.position() - count))

    def where(self, around):
        here = self.position()
        if here == 0:
            write("->     0  nothing has happened yet\n")
        for step in range(max(1, here - around), min(self.story.total, here + around) + 1):
            write("%s %s\n" % ("->" if step == here else "  ", self.story.row(step)))
        if self.is_over():
            return self.say_end()
        if not self.at_step and self.signal is None and here > 0:
            say("within step %d: %s is on its way to its next operation" % (here, self.story.name_of_mover(here)))
        if here == self.story.total:
            say(self.story.headline)

    def rows(self):
        """Of the threads that there are: number, name, what it does next."""
        here = self.position()
        pending, _ = self.story.state_at(here)
        for number, following in sorted(pending.items()):
            words = self.on_its_way(number) or self.story.next_words(following, here)
            yield number, self.story.threads[number], words, following["can"] and not self.on_its_way(number)

    def on_its_way(self, number):
        if self.is_over() or self.at_step or not self.program.is_ready() or number != self.program.mover():
            return ""
        return "is on its way" if self.signal is None else "stopped by %s" % self.signal

    def show_threads(self):
        if self.is_over():
            return self.say_end()
        threads, selected = self.debugger_threads(), gdb.selected_thread()
        write("  gdb  %-*s  next\n" % (self.story.width, "thread"))
        for number, name, words, _ in self.rows():
            thread = threads.get(number)
            mark = "*" if thread is not None and thread == selected else " "
            write("%s %-3s  %-*s  %s\n" % (mark, thread.num if thread else "-", self.story.width, name, words))

    def show_pending(self):
        for _, name, words, can in self.rows():
            write("  %-*s  %-4s  %s\n" % (self.story.width, name, "can" if can else "", words))
        if self.position() == self.story.total:
            say(self.story.headline)

    def show_objects(self):
        _, objects = self.story.state_at(self.position())
        if not objects:
            say("no thread has used anything yet.")
        width = max((len(name) for name in objects), default=0)
        for name, state in sorted(objects.items()):
            write("  %-*s  %s\n" % (width, name, state))
