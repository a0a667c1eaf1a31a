#include "CRunLoopShims.h"

// Relaxed, all of it: a word about the process that no other memory depends on, but for the error, which is there first.
static uint32_t known;
static int errors[GRL_REFUSAL_COUNT];
uint32_t grl_unsaid_refusals;

void grl_refused(grl_refusal call, int error) {
  uint32_t bit = 1u << call;
  if (__atomic_load_n(&known, __ATOMIC_RELAXED) & bit) return;
  if (__atomic_fetch_or(&known, bit, __ATOMIC_RELAXED) & bit) return;
  __atomic_store_n(&errors[call], error, __ATOMIC_RELAXED);
  __atomic_fetch_or(&grl_unsaid_refusals, bit, __ATOMIC_RELEASE);
}

grl_refusal grl_take_refusal(int *error) {
  for (grl_refusal call = 0; call < GRL_REFUSAL_COUNT; call++) {
    uint32_t bit = 1u << call;
    if (!(__atomic_fetch_and(&grl_unsaid_refusals, ~bit, __ATOMIC_ACQUIRE) & bit)) continue;
    *error = __atomic_load_n(&errors[call], __ATOMIC_RELAXED);
    return call;
  }
  return GRL_REFUSAL_COUNT;
}
