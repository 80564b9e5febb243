/**
 * Milliseconds that a test gives to what does happen, and within moments on a quiet machine: on another one that stands
 * still meanwhile, or has thirty times as much to do, it must not be the test that fails.
 */
export const patience = 60_000
