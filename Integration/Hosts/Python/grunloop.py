"""The C library in Python, as far as check.py needs it: by ctypes, with errors as exceptions."""

import ctypes
from ctypes import c_char_p, c_int, c_int64, c_uint32, c_void_p

FOREVER = 2**63 - 1
DEFAULT = b"kCFRunLoopDefaultMode"
COMMON = b"kCFRunLoopCommonModes"

_Func = ctypes.CFUNCTYPE(None, c_void_p)
_ItemFunc = ctypes.CFUNCTYPE(None, c_void_p, c_void_p)
_ObserverFunc = ctypes.CFUNCTYPE(None, c_void_p, c_int, c_void_p)


class _GError(ctypes.Structure):
    _fields_ = [("domain", c_uint32), ("code", c_int), ("message", c_char_p)]


class Error(Exception):
    def __init__(self, error):
        super().__init__(error.contents.message.decode())
        self.code = error.contents.code


class Library:
    def __init__(self, path):
        self.c = ctypes.CDLL(path)
        self.glib = ctypes.CDLL("libglib-2.0.so.0")
        self.glib.g_error_free.argtypes = [c_void_p]
        # What C holds, until it lets go of it.
        self.held = {}
        self.let_go = 0
        self.notify = _Func(self._notify)
        error = ctypes.POINTER(ctypes.POINTER(_GError))
        for name, result, arguments in [
            ("get_main", c_void_p, []),
            ("get_current", c_void_p, []),
            ("ref", c_void_p, [c_void_p]),
            ("unref", None, [c_void_p]),
            ("is_current", c_int, [c_void_p]),
            ("run_in_mode", c_int, [c_void_p, c_char_p, c_int64, c_int]),
            ("stop", None, [c_void_p]),
            ("perform", c_int, [c_void_p, _Func, c_void_p, _Func, error]),
            ("perform_and_wait", c_int, [c_void_p, c_int64, _Func, c_void_p, error]),
            ("add", c_int, [c_void_p, c_void_p, c_char_p, error]),
            ("item_unref", None, [c_void_p]),
            ("item_invalidate", None, [c_void_p]),
            ("item_is_valid", c_int, [c_void_p]),
            ("timer_new", c_void_p, [c_int64, c_int, _ItemFunc, c_void_p, _Func]),
            ("source_new", c_void_p, [_ItemFunc, c_void_p, _Func]),
            ("source_signal", None, [c_void_p]),
            ("observer_new", c_void_p, [c_int, c_int, c_int, _ObserverFunc, c_void_p, _Func]),
        ]:
            function = getattr(self.c, "grunloop_" + name)
            function.restype = result
            function.argtypes = arguments
            setattr(self, "_" + name, function)

    def _hold(self, kind, body):
        function = kind(body)
        key = len(self.held) + self.let_go + 1
        self.held[key] = function
        return function, key

    def _notify(self, key):
        del self.held[key]
        self.let_go += 1

    def _try(self, function, *arguments):
        error = ctypes.POINTER(_GError)()
        if not function(*arguments, ctypes.byref(error)):
            try:
                raise Error(error)
            finally:
                self.glib.g_error_free(error)

    def main(self):
        return self._get_main()

    def current(self):
        return self._get_current()

    def perform(self, loop, body):
        function, key = self._hold(_Func, lambda _: body())
        self._try(self._perform, loop, function, key, self.notify)

    def perform_and_wait(self, loop, body, timeout=FOREVER):
        self._try(self._perform_and_wait, loop, timeout, _Func(lambda _: body()), None)

    def add(self, loop, item, mode=COMMON):
        self._try(self._add, loop, item, mode)

    def timer(self, interval, body, repeats=True):
        function, key = self._hold(_ItemFunc, lambda timer, _: body(timer))
        return self._timer_new(interval, repeats, function, key, self.notify)

    def source(self, body):
        function, key = self._hold(_ItemFunc, lambda source, _: body(source))
        return self._source_new(function, key, self.notify)

    def observer(self, activities, body):
        function, key = self._hold(_ObserverFunc, lambda observer, activity, _: body(activity))
        return self._observer_new(activities, True, 0, function, key, self.notify)
