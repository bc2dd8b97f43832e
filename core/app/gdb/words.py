"""What the user reads."""

import gdb


def write(text):
    try:
        gdb.write(text)
    except UnicodeError:  # the terminal is said to know nothing but ASCII
        gdb.write(text.encode("ascii", "backslashreplace").decode())


def say(words):
    write("mcmini: %s\n" % words)
