/**
 * How many leads an operator reveals within so many milliseconds before passkey or password are asked again: more than a
 * person reads, fewer than a stolen session or a script is after.
 */
export const revealPace = { most: 60, within: 60 * 60 * 1000 } as const
