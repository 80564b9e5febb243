/** Tells those who look that something has changed; what it was they read themselves. */
export interface Changes {
  tell(): void
  /** Resolves at the next change. */
  next(): Promise<void>
}

export function makeChanges(): Changes {
  let waiting = Promise.withResolvers<void>()
  return {
    tell() {
      waiting.resolve()
      waiting = Promise.withResolvers()
    },
    next: () => waiting.promise,
  }
}
