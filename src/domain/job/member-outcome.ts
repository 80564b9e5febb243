interface Outcome {
  readonly verdict: Verdict
  readonly planned: string
  readonly result: string
}

export const verdicts = ['done', 'skipped', 'failed'] as const

export type Verdict = (typeof verdicts)[number]

const skipped = (text: string) => ({ verdict: 'skipped', planned: text, result: text }) as const

/** The outcomes of a job for one lead. Their names are stored, and appear in the JSON of `jobs show`. */
export const outcomes = {
  due: { verdict: 'done', planned: 'will be due at once', result: 'due at once' },
  'released, owes none': {
    verdict: 'done',
    planned: 'will be released without a delivery, because it repeats another lead',
    result: 'released without a delivery, because it repeats another lead',
  },
  'erased now': { verdict: 'done', planned: 'will be erased', result: 'erased' },
  'erased under way': {
    verdict: 'done',
    planned: 'will be erased during its delivery: the distributor may still get it',
    result: 'erased during its delivery: the distributor may have it',
  },
  'erased after delivery': {
    verdict: 'done',
    planned: 'will be erased here; the distributor has a copy',
    result: 'erased here; ask the distributor to erase its copy',
  },
  expired: { verdict: 'done', planned: 'answers will be erased', result: 'answers erased' },
  'proof removed': {
    verdict: 'done',
    planned: 'proof of consent will be removed',
    result: 'proof of consent removed',
  },
  'expired, proof removed': {
    verdict: 'done',
    planned: 'answers and proof of consent will be removed',
    result: 'answers and proof of consent removed',
  },
  leased: {
    verdict: 'skipped',
    planned: 'is being delivered now',
    result: 'was being delivered',
  },
  delivered: skipped('already delivered; sending it again would make a duplicate'),
  duplicate: skipped('duplicate, has no delivery'),
  overtaken: skipped('replaced by a newer enquiry from the same person'),
  quarantined: skipped('in quarantine; release it first'),
  'not quarantined': {
    verdict: 'skipped',
    planned: 'not in quarantine',
    result: 'was not in quarantine',
  },
  erased: skipped('already erased'),
  'still owed': skipped('still waiting for delivery'),
  unreadable: skipped('can’t be read, so it isn’t sent'),
  unknown: { verdict: 'skipped', planned: 'no longer exists', result: 'no longer exists' },
  failed: { verdict: 'failed', planned: 'will fail', result: 'failed; the log says why' },
} as const satisfies Readonly<Record<string, Outcome>>

export type MemberOutcome = keyof typeof outcomes

/** The order in which pages list the outcomes: `done` first. */
export const memberOutcomes = Object.keys(outcomes) as readonly MemberOutcome[]

export const isMemberOutcome = (text: string): text is MemberOutcome =>
  Object.hasOwn(outcomes, text)

export const verdictOf = (outcome: MemberOutcome): Verdict => outcomes[outcome].verdict

/** The number of leads for each name; a name without leads is absent. */
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

/** Returns, for example, `99,000 done, 1,000 skipped`. */
export function describeReport(report: OutcomeCounts): string {
  const counts = { done: 0, skipped: 0, failed: 0 }
  for (const outcome of memberOutcomes) counts[verdictOf(outcome)] += report[outcome] ?? 0
  return verdicts
    .filter((verdict) => verdict === 'done' || counts[verdict] > 0)
    .map((verdict) => `${counts[verdict].toLocaleString('en-US')} ${verdict}`)
    .join(', ')
}

/** Describes an outcome in the audit log, which records a retried delivery as `due`. */
export const describeRecordedOutcome = (outcome: string): string =>
  outcome === 'due' ? outcomes.due.result : outcome
