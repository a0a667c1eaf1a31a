# For hosts in C and Python: the C library, installed as a user would; once for all of them.

PREFIX := $(abspath ../../../.build/hosts/prefix)
export PKG_CONFIG_PATH := $(PREFIX)/lib/pkgconfig
# What traps is not to be traced: the tracer may hang (Swift 6.3.1).
export SWIFT_BACKTRACE := enable=no
CFLAGS := -std=gnu11 -g -Wall -Wextra -Wno-unused-parameter -Wno-cast-function-type -Werror

library:
	$(MAKE) --no-print-directory -C ../../.. install PREFIX=$(PREFIX)

.PHONY: library
