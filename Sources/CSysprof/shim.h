// The two functions of Sysprof's capture library that are used, as its header sysprof-collector.h has them. They are said
// here, so that only programs that use them need the library, and only when they are linked.
#pragma once

#include <stdbool.h>
#include <stdint.h>

bool sysprof_collector_is_active(void);
// Cuts `group` to 23 bytes and `mark` to 39. A mark is of 65,535 bytes at most, 96 of them for all but the message.
void sysprof_collector_mark(
    int64_t time, int64_t duration, const char *group, const char *mark, const char *message);
