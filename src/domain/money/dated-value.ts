import { type Day, formatDay, makeInvalidDayMessage, parseDay } from '#domain/calendar.ts'
import { formatDollars } from '#domain/text/formats.ts'

/** A payout or revenue for an accepted lead. It counts from a day on, until the next value of the same program. */
export interface DatedValue {
  /** Null for all programs that have no value of their own. */
  readonly program: number | null
  /** 0 if the value counts from the beginning. */
  readonly fromDay: Day
  /** When the day begins, in epoch milliseconds. */
  readonly fromAt: number
  /** US cents; null if there is no value from this day on. */
  readonly amountCents: number | null
}

/** A day of which nobody has entered a value can't come before this one. */
export const beginning: Day = 0

/**
 * Finds the value for a lead that is accepted at a time: the value of its program, otherwise the value of all programs.
 * The triggers of migration 0032 find the same value.
 * @returns undefined if there is no value, or only ended ones
 */
export function findDatedValue(
  values: readonly DatedValue[],
  program: number | null,
  at: number,
): (DatedValue & { readonly amountCents: number }) | undefined {
  const findLatest = (wanted: number | null) => {
    const latest = values
      .filter((one) => one.program === wanted && one.fromAt <= at)
      .reduce<DatedValue | undefined>(
        (latest, one) => (latest && latest.fromAt >= one.fromAt ? latest : one),
        undefined,
      )
    const amountCents = latest?.amountCents ?? null
    return latest === undefined || amountCents === null ? undefined : { ...latest, amountCents }
  }
  return (program === null ? undefined : findLatest(program)) ?? findLatest(null)
}

export const formatFromDay = (day: Day): string =>
  day === beginning ? 'the beginning' : formatDay(day)

/** Says why a value is refused, and what helps: nobody may overwrite the value of leads that were accepted. */
export function describeOverlap(
  name: 'payout' | 'revenue',
  { fromDay, amountCents }: DatedValue,
): string {
  const kept = amountCents === null ? `have no ${name}` : `keep ${formatDollars(amountCents)}`
  const stop =
    name === 'payout' ? ' Until then, Stop affiliate keeps new leads in quarantine, unpaid.' : ''
  return `Leads accepted since ${formatFromDay(fromDay)} ${kept}: set the right ${name} from tomorrow on.${stop}`
}

/** Says why a first day before today is refused: each lead accepted since then keeps the value of its acceptance. */
export const describePastDay = (name: 'payout' | 'revenue'): string =>
  `A ${name} counts for leads accepted from its first day on. Choose today or a later day.`

/** The error of a text that {@link parseDollars} can't parse. */
export const dollarsFault = 'Enter US dollars below 100,000, such as 12.50.'

/** The error of an empty amount for all programs: one slip would unprice every lead. */
export const noAmountFault =
  'Give an amount; 0.00 is one. Only a program’s own amount can end by an empty field.'

/**
 * Parses US dollars such as `12.50`, `$12` or `1,250.00`.
 * @param below dollars that the amount must not reach
 * @returns cents; undefined for any other text
 */
export function parseDollars(text: string, below = 100_000): number | undefined {
  const amount = text.trim().replace(/^\$\s*/, '')
  const isGrouped = /^\d{1,3}(,\d{3}){1,2}(\.\d{1,2})?$/.test(amount)
  const plain = isGrouped ? amount.replaceAll(',', '') : amount
  return /^\d{1,9}(\.\d{1,2})?$/.test(plain) && Number(plain) < below
    ? Math.round(Number(plain) * 100)
    : undefined
}

/** The texts of a form for a payout or a revenue. Without `startsOn` it counts from today, and without `program` for all. */
export type DatedValueTexts = Readonly<Record<'amount' | 'startsOn' | 'program', string>>

export type DatedValueErrors = { readonly [Field in keyof DatedValueTexts]?: string }

/**
 * Parses the form of a payout or a revenue. An empty amount ends a program's own value, so that the one of all programs
 * counts again. Don't use the parsed value if there are errors.
 */
export function parseDatedValue({ amount, startsOn, program }: DatedValueTexts, today: Day) {
  const amountCents = amount.trim() === '' ? null : parseDollars(amount)
  const typed = startsOn.trim() === '' ? today : parseDay(startsOn.trim())
  const fromDay = typed === beginning ? undefined : typed
  const isProgram = /^\d{0,9}$/.test(program.trim())
  const errors: DatedValueErrors = {
    ...(amountCents === undefined && { amount: dollarsFault }),
    ...(amountCents === null && program.trim() === '' && { amount: noAmountFault }),
    ...(fromDay === undefined && { startsOn: makeInvalidDayMessage(startsOn) }),
    ...(!isProgram && { program: 'Give the id of a program, such as 15.' }),
  }
  const value = {
    amountCents: amountCents ?? null,
    fromDay: fromDay ?? today,
    program: program.trim() === '' ? null : Number(program),
  }
  return { value, errors }
}
