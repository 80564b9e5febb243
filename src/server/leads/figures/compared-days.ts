/** From then on, and before then: epoch milliseconds. */
export interface Span {
  readonly since: number
  readonly until: number
}

/** A day as it is compared with today. */
export interface ComparedDay {
  /** `2026-11-22`. */
  readonly date: string
  readonly spans: {
    /** Up to the time of day that it is now. */
    readonly soFar: Span
    readonly whole: Span
  }
}

const daysBefore = 7

/**
 * Today and the seven days before it, the newest first, as the clock on the wall has them: a day on which it is set has 23
 * hours or 25.
 * @param now epoch milliseconds
 */
export function comparedDays(now: number, zone: string): readonly ComparedDay[] {
  const here = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(zone)
  return Array.from({ length: daysBefore + 1 }, (_, days) => {
    const at = here.subtract({ days })
    const since = at.startOfDay().epochMilliseconds
    const ends = at.add({ days: 1 }).startOfDay().epochMilliseconds
    return {
      date: at.toPlainDate().toString(),
      spans: { soFar: { since, until: at.epochMilliseconds }, whole: { since, until: ends } },
    }
  })
}

/** Undefined where the text names none that this process knows. */
export function knownZone(text: string | undefined): string | undefined {
  if (text === undefined || !/^[A-Za-z][\w+/-]{1,63}$/.test(text)) return undefined
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: text }).resolvedOptions().timeZone
  } catch {
    return undefined
  }
}

export function median(values: readonly number[]): number | undefined {
  const sorted = values.toSorted((one, other) => one - other)
  const [low, high] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]]
  return low === undefined || high === undefined ? undefined : Math.round((low + high) / 2)
}
