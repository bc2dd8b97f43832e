"""The process, as far as it tells about itself (libmcmini/debugged.cpp)."""

import struct

import gdb


class Program:
    VIEW = struct.Struct("QQQQQII")
    STOP_AT = 40  # its place in the view

    def is_alive(self):
        return gdb.selected_inferior().pid != 0

    def is_ready(self):
        """Has libmcmini been loaded and taken over?"""
        try:
            return self.is_alive() and self.view()[0] != 0
        except gdb.error:
            return False

    @staticmethod
    def address():
        return int(gdb.parse_and_eval("(unsigned long)&mcmini_view"))

    def view(self):
        return self.VIEW.unpack(self.memory(self.address(), self.VIEW.size))

    @staticmethod
    def memory(address, size):
        return bytes(gdb.selected_inferior().read_memory(address, size))

    def number_at(self, address):
        return struct.unpack("I", self.memory(address, 4))[0]

    def step(self):
        """So many steps have been begun."""
        return self.number_at(self.view()[0])

    def mover(self):
        """The number of the thread that moved last."""
        return self.number_at(self.view()[1])

    def has_strayed(self):
        return self.view()[6] != 0

    def stop_at(self, step):
        gdb.selected_inferior().write_memory(self.address() + self.STOP_AT, struct.pack("I", step))

    def debugger_threads(self, count):
        """gdb's threads, by mcmini's numbers of them."""
        by_lwp = {thread.ptid[1]: thread for thread in gdb.selected_inferior().threads()}
        _, _, boxes, size, tid, _, _ = self.view()
        found = {}
        for number in range(count):
            thread = by_lwp.get(self.number_at(boxes + number * size + tid))
            if thread is not None:
                found[number] = thread
        return found
