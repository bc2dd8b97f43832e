"""Which frames are the user's."""

import os

import gdb

RUNTIME = ("libc.so", "libc-", "libm.so", "librt.so", "libdl.so", "ld-", "libpthread", "libstdc++", "libc++",
           "libgcc_s", "libmcmini.so")
SYSTEM_FILES = ("/usr/include/", "/usr/lib/gcc", "/usr/lib/llvm", "/usr/lib/clang", "/usr/lib64/gcc",
                "/usr/lib64/clang", "bits/")
STARTERS = ("start_thread", "clone", "clone3", "_start", None)  # what a thread begins with; some have no name

hidden_modules = set()


def module_of(frame):
    return gdb.solib_name(frame.pc()) or ""


def is_runtimes(frame):
    return os.path.basename(module_of(frame)).startswith(RUNTIME)


def is_from_header(frame):
    """A template or an inline function of the language's libraries."""
    symtab = frame.find_sal().symtab
    if symtab is None:
        return False
    path = os.path.normpath(symtab.fullname())
    return path.startswith(SYSTEM_FILES) or "/include/c++/" in path


def is_hidden(frame):
    """Nobody wants to see it in a backtrace."""
    module = module_of(frame)
    if module in hidden_modules or is_from_header(frame):
        return True
    return frame.name() in STARTERS and is_runtimes(frame)


def is_users(frame):
    """Did the user write it, rather than the authors of the language's libraries?"""
    return not is_hidden(frame) and not is_runtimes(frame) and frame.name() not in (None, "_start")


def users_frame():
    """The innermost one of the selected thread; None if there is none."""
    frame = gdb.newest_frame()
    while frame is not None:
        if is_users(frame):
            return frame
        try:
            frame = frame.older()
        except gdb.error:  # a stack that cannot be read
            return None
    return None


class Filter:
    """Of backtraces; `bt -no-filters` shows everything."""

    def __init__(self):
        self.name = "mcmini"
        self.priority = 100
        self.enabled = True
        gdb.frame_filters[self.name] = self

    def filter(self, frames):
        shown = False
        for frame in frames:
            inner = frame.inferior_frame()
            ours = is_hidden(inner) or (not shown and inner.type() == gdb.SIGTRAMP_FRAME)
            shown = shown or not ours
            if not ours:
                yield frame


def hide(modules):
    """Of mcmini and its plugins."""
    hidden_modules.update(modules)


def hide_module_at(address):
    hidden_modules.add(gdb.solib_name(address))
