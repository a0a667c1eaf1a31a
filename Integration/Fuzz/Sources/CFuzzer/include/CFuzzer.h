#include <stddef.h>
#include <stdint.h>

// libFuzzer's own main function, for programs whose main is taken (FuzzerInterface.h).
int LLVMFuzzerRunDriver(int *argc, char ***argv, int (*test)(const uint8_t *data, size_t size));
