"""The commands of `mcmini gdb`: walks through the schedule of a bug, forward and back.

The program takes the steps of the schedule by itself. It calls mcmini_at_step when every thread stands at its
next operation and the step is one to stop at; mcmini_view tells where it is (libmcmini/debugged.cpp). To go back
is to start it again. What each step means was written down by mcmini beforehand.
"""

import json
import os
import signal

import gdb

from . import commands, frames
from .walk import Walk
from .words import say


def read_data(descriptor):
    with os.fdopen(descriptor, "rb") as file:
        file.seek(0)
        return json.loads(file.read().decode())


def prepare_gdb():
    for setting in ("print thread-events off", "print inferior-events off", "startup-with-shell on",
                    "disable-randomization off"):  # mcmini sees to that, and says nothing where it cannot
        gdb.execute("set " + setting)
    # McMini's own signal, which interrupts threads that wait for memory to change.
    gdb.execute("handle SIG%d nostop noprint pass" % signal.SIGRTMAX, to_string=True)
    try:
        if gdb.parameter("debuginfod enabled") == "ask":
            gdb.execute("set debuginfod enabled off")
    except RuntimeError:
        pass  # a gdb that knows nothing of it


def start(walk):
    try:
        walk.start(0)
    except gdb.error as error:
        say("gdb cannot start the program: %s" % str(error).strip())
        gdb.execute("quit 4")


def begin(descriptor):
    """Called by the command line of gdb, with an open file that has all there is to know."""
    data = read_data(descriptor)
    prepare_gdb()
    frames.hide(data["hidden"])
    frames.Filter()
    walk = Walk(data)
    commands.add(walk)
    start(walk)
    say("%s\n        Commands: mcmini forward, back, goto STEP, where, threads, pending, objects (help mcmini).\n"
        "        continue goes to the end of the schedule, which has %s; run goes to its start." %
        (walk.story.headline, walk.story.length()))
    walk.tell("")
