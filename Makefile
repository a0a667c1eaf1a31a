# What there is to do here. `make demo` and `make test` work from a clean clone on a bare Debian 12 or 13 with a Swift 6.3
# toolchain (`make fresh` tries it): each installs first what is missing.

BUILD_PACKAGES := libglib2.0-dev pkg-config
TEST_PACKAGES := $(BUILD_PACKAGES) dbus-daemon dbus-bin libglib2.0-bin gcc g++ binutils
BENCH_PACKAGES := $(BUILD_PACKAGES) libuv1-dev libev-dev gcc make python3 dbus-daemon
DOCS_PACKAGES := $(BUILD_PACKAGES) python3
SOURCES := Package.swift Sources Tests Demos Snippets Integration/Benchmarks/Package.swift Integration/Benchmarks/Sources \
	Integration/Benchmarks/peers Integration/Conformance/Package.swift Integration/Conformance/Sources \
	Integration/Conformance/Tests Integration/Soak/Package.swift Integration/Soak/Sources Integration/Fuzz/Package.swift \
	Integration/Fuzz/Plugins Integration/Fuzz/Sources Scripts/samples.swift Integration/Hosts
SOURCES += Integration/Consumer/Package.swift Integration/Consumer/Sources Integration/HostKit
HOSTS := $(wildcard Integration/Hosts/*/)
PREFIX ?= /usr/local
COUNT ?= 10000
SECONDS ?= 60
GLIB ?= main
# Each in a process of its own: GLib has one log handler for a domain, and each target's tests look at what is said.
TEST_TARGETS := GLibRunLoopTests RunLoopCTests RunLoopInspectorTests RunLoopInstrumentsTests RunLoopNotificationsTests \
	RunLoopPortsTests
# What traps on purpose is not to be traced: the tracer may hang, and holds the pipes that a test waits for (Swift 6.3.1).
export SWIFT_BACKTRACE := enable=no
run_tests = for target in $(TEST_TARGETS); do swift test --skip-build $(1) --filter "^$$target\." || exit 1; done

help:
	@echo "make demo            see it work"
	@echo "make test            build and test"
	@echo "make fresh           try both on bare machines: Debian 12 and 13, as root and with sudo (half an hour)"
	@echo "make test-glib       test on another GLib, built from its sources (GLIB=main|2.84|… GLIB_SOURCE=… GVDB_SOURCE=…)"
	@echo "make test-clocks     test as if the machine had just started, and as if 30 years ago (needs root; UPTIMES=…)"
	@echo "make refusals        run the demos where the kernel refuses a system call"
	@echo "make test-thread     test under the thread sanitizer"
	@echo "make test-address    test under the address sanitizer"
	@echo "make soak            random work on eight loops for a minute, with exact accounts (SECONDS=… SEED=…)"
	@echo "make fuzz            feed bytes to what reads other processes' packets, a minute each (SECONDS=…)"
	@echo "make coverage        which lines of the library the tests reach"
	@echo "make install         build the C library and the one to preload, and install them (PREFIX=/usr/local DESTDIR=…);"
	@echo "                     uninstall takes them away"
	@echo "make compare-preloaded  GLib's own tests, and the start of small programs, plain and preloaded"
	@echo "make lint            check the formatting"
	@echo "make format          mend the formatting"
	@echo "make conformance     hold it against Core Foundation (COUNT=10000 SEED=1)"
	@echo "make integration     run it in real hosts: GTK, Python, GThread, libuv, Qt, epoll"
	@echo "make docs            the documentation as a static site in .build/docs (HOSTING_BASE=/path)"
	@echo "make docs-check      make it, and look at all its pages and links in a browser"
	@echo "make samples         compile the samples of the documentation, and run those that are programs"
	@echo "make api             list what is public in API, after a change on purpose; api-check compares"
	@echo "make consumer        build and run a package that depends on this one"
	@echo "make bench           time it against other loops (ten minutes)"
	@echo "make bench-smoke     see that the benchmarks run (one minute)"

demo: demo-dependencies
	swift build -c release --product PassTimeline
	swift build -c release --product Thumbnails
	swift build -c release --product Switchboard
	swift build -c release --product FollowLog
	@Demos/demo.sh

# Two commands, so that the time of the build does not count as the tests'.
test: test-dependencies
	swift build --build-tests
	$(call run_tests)

# One after the other: each uses all processors. The demos go on until q is pressed, if they are shown on a terminal.
fresh:
	set -e; for machine in "bookworm" "bookworm --user" "trixie" "trixie --user"; do \
		Scripts/fresh-machine $$machine bash -e -o pipefail -c 'make demo </dev/null | cat; make test'; \
	done

# Built against the system's GLib, run on another one: see Scripts/with-glib.
test-glib:
	Scripts/with-glib $(GLIB) $(MAKE) --no-print-directory test

# As on a machine that was started seconds, or decades, ago. The built tests, since the compiler need not believe it.
UPTIMES ?= 30 946080000
test-clocks: test-dependencies
	@Scripts/install-dependencies perl
	swift build --build-tests
	set -e; for uptime in $(UPTIMES); do for target in $(TEST_TARGETS); do \
		echo "-- $$target, $$uptime seconds after the start"; \
		Scripts/at-uptime $$uptime swift test --skip-build --filter "^$$target\."; \
	done; done

test-thread: test-dependencies
	swift build --build-tests --sanitize=thread --scratch-path .build/thread
	$(call run_tests,--sanitize=thread --scratch-path .build/thread)

# Leaks are counted by the tests themselves: XCTest and Foundation leave some of their own. The quarantine is kept small,
# or the tests of memory would count it.
test-address: test-dependencies
	swift build --build-tests --sanitize=address --scratch-path .build/address
	export ASAN_OPTIONS=detect_leaks=0:quarantine_size_mb=8; \
		$(call run_tests,--sanitize=address --scratch-path .build/address)

# See Integration/Refusals/check.
refusals: demo-dependencies
	Integration/Refusals/check

.PHONY: refusals test-clocks

soak: dependencies
	swift build -c release --package-path Integration/Soak
	Integration/Soak/.build/release/soak $(SECONDS) $(SEED)

# What it has learnt is kept from run to run.
fuzz: dependencies
	swift build -c release --package-path Integration/Fuzz
	set -e; for fuzzer in FrameFuzz NotificationFuzz; do \
		mkdir -p Integration/Fuzz/.build/corpus/$$fuzzer; \
		Integration/Fuzz/.build/release/$$fuzzer -max_total_time=$(SECONDS) -max_len=4096 -use_value_profile=1 \
			-artifact_prefix=Integration/Fuzz/.build/ Integration/Fuzz/.build/corpus/$$fuzzer; \
	done

coverage: test-dependencies
	@Scripts/coverage

# libgrunloop.so, grunloop.h and grunloop.pc, for programs in C and whatever calls C; libRunLoopMainQueue.so to preload.
install: dependencies
	@Scripts/install-dependencies gcc
	PREFIX="$(PREFIX)" DESTDIR="$(DESTDIR)" Scripts/install-library

uninstall:
	PREFIX="$(PREFIX)" DESTDIR="$(DESTDIR)" Scripts/install-library remove

# Half an hour of programs that nobody here wrote. The quick part is Integration/Hosts/Preload.
compare-preloaded:
	@Scripts/install-dependencies gcc libglib2.0-tests dbus-daemon python3 git
	Scripts/compare-preloaded

.PHONY: compare-preloaded

docs: dependencies
	Scripts/docs

docs-check: docs
	@Scripts/install-dependencies $(DOCS_PACKAGES) $(if $(CHROMIUM),,chromium)
	Scripts/check-site

samples: docs-dependencies
	Scripts/build-modules
	Scripts/samples

api: docs-dependencies
	Scripts/api

api-check: docs-dependencies
	Scripts/api --check

lint:
	swift format lint --strict --recursive $(SOURCES)

format:
	swift format --in-place --recursive $(SOURCES)

conformance: dependencies
	swift test --package-path Integration/Conformance -c release
	swift run --package-path Integration/Conformance -c release conform $(COUNT) $(or $(SEED),1)

# A folder each: see Integration/Hosts/README.md.
integration: integration-dependencies
	@set -e; for host in $(HOSTS); do echo "-- $$host"; $(MAKE) --no-print-directory -C $$host check; done

# As its users do: by path, in debug, in release, and with Swift's libraries linked in.
consumer: dependencies
	Integration/Consumer/check

.PHONY: consumer

bench: bench-dependencies
	Integration/Benchmarks/run.py

bench-smoke: bench-dependencies
	Integration/Benchmarks/run.py --smoke

dependencies:
	@Scripts/install-dependencies $(BUILD_PACKAGES)

demo-dependencies:
	@Scripts/install-dependencies $(BUILD_PACKAGES) dbus-daemon

test-dependencies:
	@Scripts/install-dependencies $(TEST_PACKAGES)

integration-dependencies:
	@Scripts/install-dependencies $(BUILD_PACKAGES) gcc make $$(cat $(addsuffix packages,$(HOSTS)))

docs-dependencies:
	@Scripts/install-dependencies $(DOCS_PACKAGES)

bench-dependencies:
	@Scripts/install-dependencies $(BENCH_PACKAGES)

.PHONY: docs docs-check samples api api-check docs-dependencies
.PHONY: help demo install uninstall test fresh test-glib test-thread test-address conformance soak fuzz coverage lint format integration bench bench-smoke \
	dependencies demo-dependencies test-dependencies integration-dependencies bench-dependencies
