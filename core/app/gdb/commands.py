"""What the user can type."""

import gdb

AROUND = 5  # steps that are shown before and after the current one


def number_from(argument, default):
    if not argument.strip():
        return default
    if not argument.strip().isdigit():
        raise gdb.GdbError("A number of steps is expected, not '%s'." % argument.strip())
    return int(argument)


def goto_argument(argument):
    if not argument.strip():
        raise gdb.GdbError("Which step? mcmini goto STEP")
    return number_from(argument, 0)


class Prefix(gdb.Command):
    """Walks through the schedule of the bug that mcmini has found."""

    def __init__(self):
        super().__init__("mcmini", gdb.COMMAND_RUNNING, gdb.COMPLETE_NONE, True)

    def invoke(self, argument, from_tty):
        if argument:
            raise gdb.GdbError("There is no 'mcmini %s'. See help mcmini." % argument)
        gdb.execute("help mcmini")


def add_command(name, body, help_text, kind=gdb.COMMAND_RUNNING):
    def invoke(self, argument, from_tty):
        body(argument)

    command = type("Command", (gdb.Command,), {"__doc__": help_text, "invoke": invoke})
    command(name, kind, gdb.COMPLETE_NONE)


def add_hook(when, command, body):
    """What is done before ("hook") or after ("hookpost") a command of gdb."""
    ours = "mcmini-%s-%s" % (when, command)
    add_command(ours, lambda _: body(), "Part of %s." % command, gdb.COMMAND_OBSCURE)
    gdb.execute("define %s-%s\n%s\nend" % (when, command, ours))


def add(walk):
    Prefix()
    add_command("mcmini forward", lambda words: walk.forward(max(1, number_from(words, 1))),
                "Takes one more step of the schedule: mcmini forward [N] takes N.")
    add_command("mcmini back", lambda words: walk.back(number_from(words, 1)),
                "Goes one step back: mcmini back [N] goes N. The program runs again from its start.")
    add_command("mcmini goto", lambda words: walk.goto(goto_argument(words)),
                "Goes to where so many steps have been taken: mcmini goto STEP.")
    add_command("mcmini where", lambda words: walk.where(number_from(words, AROUND)),
                "Shows the schedule around the current step: mcmini where [N], N steps before and after it.")
    add_command("mcmini threads", lambda _: walk.show_threads(),
                "Shows all threads, with gdb's numbers, and where they stand.")
    add_command("mcmini pending", lambda _: walk.show_pending(),
                "Shows what each thread does next, and whether it can.")
    add_command("mcmini objects", lambda _: walk.show_objects(),
                "Shows mutexes and other things that threads share, as they are after this step.")
    add_hook("hook", "next", walk.leave_call)
    add_hook("hook", "step", walk.leave_call)
    add_hook("hookpost", "thread", walk.show_users_frame)
