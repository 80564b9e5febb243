/**
 * How long a test waits, in milliseconds, for something that takes moments on a quiet machine. A machine that stalls or
 * is thirty times as busy must not fail the test.
 */
export const patience = 60_000
