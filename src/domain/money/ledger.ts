import { formatDollars, formatNumber } from '../text/formats.ts'

/** The sums of some entries of the ledger. Cents are null if no amount is known for any of the entries. */
export interface LedgerSums {
  readonly accepted: number
  readonly returned: number
  /** What the company pays to affiliates, in US cents. */
  readonly owedCents: number | null
  /** What the company earns, in US cents. */
  readonly revenueCents: number | null
}

export const emptyLedgerSums: LedgerSums = {
  ...{ accepted: 0, returned: 0, owedCents: 0, revenueCents: 0 },
}

/** Adds up sums. An amount stays unknown only if it is for all sums that have entries. */
export function addLedgerSums(all: readonly LedgerSums[]): LedgerSums {
  const add = (one: number | null, other: number | null) =>
    one === null ? other : one + (other ?? 0)
  const some = all.filter(({ accepted, returned }) => accepted + returned > 0)
  const [first = emptyLedgerSums, ...others] = some
  return others.reduce<LedgerSums>(
    (sum, one) => ({
      accepted: sum.accepted + one.accepted,
      returned: sum.returned + one.returned,
      owedCents: add(sum.owedCents, one.owedCents),
      revenueCents: add(sum.revenueCents, one.revenueCents),
    }),
    first,
  )
}

/** What a period earned and cost. */
export interface MoneySums extends LedgerSums {
  readonly spendCents: number
}

/** A number with its name, as pages show it and as files contain it. */
export interface Measure {
  readonly name: string
  /** Empty without a value. */
  readonly text: string
  /** A count, US dollars, a share from 0 to 1 or seconds; null without a value. */
  readonly value: number | null
}

export const toCount = (name: string, value: number): Measure => ({
  name,
  text: formatNumber(value),
  value,
})

/** @param cents US cents; null if unknown */
export const toMoney = (name: string, cents: number | null): Measure => ({
  name,
  text: cents === null ? '' : formatDollars(cents),
  value: cents === null ? null : Math.round(cents) / 100,
})

/** Lists what a period earned and cost. */
export function listMoney(sums: MoneySums): readonly Measure[] {
  const { accepted, returned, revenueCents, owedCents, spendCents } = sums
  return [
    toCount('Accepted', accepted),
    toCount('Returned or reversed', returned),
    toMoney('Revenue', revenueCents),
    toMoney('Owed', owedCents),
    toMoney('Ad spend', spendCents),
    toMoney('Margin', findMargin(sums, spendCents)),
    toMoney('Cost per kept lead', findCostPerKept(sums, spendCents)),
  ]
}

/**
 * Finds what each accepted lead that was not returned cost.
 * @param spendCents the ad spend of the same period
 * @returns US cents, with fractions; null if nothing is known to have been spent, or no lead was kept
 */
export function findCostPerKept(
  { accepted, returned, owedCents }: LedgerSums,
  spendCents: number | null,
): number | null {
  const kept = accepted - returned
  if (kept <= 0 || (owedCents === null && !spendCents)) return null
  return ((owedCents ?? 0) + (spendCents ?? 0)) / kept
}

/** Finds what is left of the revenue, in US cents; null if no revenue is known. */
export const findMargin = (
  { owedCents, revenueCents }: LedgerSums,
  spendCents: number | null,
): number | null =>
  revenueCents === null ? null : revenueCents - (owedCents ?? 0) - (spendCents ?? 0)
