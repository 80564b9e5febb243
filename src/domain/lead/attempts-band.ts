interface Band {
  /** Both included. */
  readonly from: number
  readonly to: number
  readonly inWords: string
}

/** How often a lead was tried, in steps that tell an operator something: as in an address, `attempts=5-19`. */
export const attemptsBands = {
  '0': { from: 0, to: 0, inWords: 'not yet' },
  '1': { from: 1, to: 1, inWords: 'once' },
  '2-4': { from: 2, to: 4, inWords: '2 to 4 times' },
  '5-19': { from: 5, to: 19, inWords: '5 to 19 times' },
  '20-': { from: 20, to: Number.MAX_SAFE_INTEGER, inWords: '20 times or more' },
} as const satisfies Readonly<Record<string, Band>>

export type AttemptsBand = keyof typeof attemptsBands

export const attemptsBandNames = Object.keys(attemptsBands) as readonly AttemptsBand[]
