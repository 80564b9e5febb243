import { type MemberOutcome, memberOutcomes, type Verdict, verdictOf } from './member-outcome.ts'

/** How many of each; none of what is not named. */
export type Counts<Name extends string> = Readonly<Partial<Record<Name, number>>>

export type OutcomeCounts = Counts<MemberOutcome>

export function addCounts<Name extends string>(a: Counts<Name>, b: Counts<Name>): Counts<Name> {
  const sum: Partial<Record<Name, number>> = { ...a }
  for (const [name, count] of Object.entries(b) as [Name, number][]) {
    sum[name] = (sum[name] ?? 0) + count
  }
  return sum
}

export const countBy = <Item, Name extends string>(
  items: Iterable<Item>,
  nameOf: (item: Item) => Name,
): Counts<Name> =>
  Object.fromEntries(
    [...Map.groupBy(items, nameOf)].map(([name, group]) => [name, group.length]),
  ) as Counts<Name>

/** Done, skipped and failed. */
export function verdictCounts(counts: OutcomeCounts): Readonly<Record<Verdict, number>> {
  const sum = { done: 0, skipped: 0, failed: 0 }
  for (const outcome of memberOutcomes) sum[verdictOf(outcome)] += counts[outcome] ?? 0
  return sum
}
