// Nothing to call: the constructor in attach.c is all that there is.
#pragma once
