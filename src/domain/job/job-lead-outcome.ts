interface Outcome {
  readonly kind: OutcomeKind
  readonly planned: string
  readonly result: string
}

export const outcomeKinds = ['done', 'skipped', 'failed'] as const

export type OutcomeKind = (typeof outcomeKinds)[number]

const makeSkippedOutcome = (text: string) =>
  ({ kind: 'skipped', planned: text, result: text }) as const

/** The outcomes of a job for one lead. The outcomes' names are stored, and appear in the JSON of `jobs show`. */
export const outcomeDefinitions = {
  due: { kind: 'done', planned: 'will be due at once', result: 'due at once' },
  'released, owes none': {
    kind: 'done',
    planned: 'will be released without a delivery, because it repeats another lead',
    result: 'released without a delivery, because it repeats another lead',
  },
  'erased now': { kind: 'done', planned: 'will be erased', result: 'erased' },
  'erased under way': {
    kind: 'done',
    planned: 'will be erased during its delivery: the distributor may still get it',
    result: 'erased during its delivery: the distributor may have it',
  },
  'erased after delivery': {
    kind: 'done',
    planned: 'will be erased here; the distributor has a copy',
    result: 'erased here; ask the distributor to erase its copy',
  },
  expired: { kind: 'done', planned: 'answers will be erased', result: 'answers erased' },
  'proof removed': {
    kind: 'done',
    planned: 'proof of consent will be removed',
    result: 'proof of consent removed',
  },
  'expired, proof removed': {
    kind: 'done',
    planned: 'answers and proof of consent will be removed',
    result: 'answers and proof of consent removed',
  },
  leased: {
    kind: 'skipped',
    planned: 'is being delivered now',
    result: 'was being delivered',
  },
  delivered: makeSkippedOutcome('already delivered; sending it again would make a duplicate'),
  duplicate: makeSkippedOutcome('duplicate, has no delivery'),
  overtaken: makeSkippedOutcome('replaced by a newer enquiry from the same person'),
  quarantined: makeSkippedOutcome('in quarantine; release it first'),
  'not quarantined': {
    kind: 'skipped',
    planned: 'not in quarantine',
    result: 'was not in quarantine',
  },
  erased: makeSkippedOutcome('already erased'),
  'still owed': makeSkippedOutcome('still waiting for delivery'),
  unreadable: makeSkippedOutcome('can’t be read, so it isn’t sent'),
  unknown: { kind: 'skipped', planned: 'no longer exists', result: 'no longer exists' },
  failed: { kind: 'failed', planned: 'will fail', result: 'failed; the log says why' },
} as const satisfies Readonly<Record<string, Outcome>>

export type JobLeadOutcome = keyof typeof outcomeDefinitions

/** The order in which pages list the outcomes: `done` first. */
export const jobLeadOutcomes = Object.keys(outcomeDefinitions) as readonly JobLeadOutcome[]

export const isJobLeadOutcome = (text: string): text is JobLeadOutcome =>
  Object.hasOwn(outcomeDefinitions, text)

export const toOutcomeKind = (outcome: JobLeadOutcome): OutcomeKind =>
  outcomeDefinitions[outcome].kind

/** The number of leads for each name; a name without leads is absent. */
export type Counts<Name extends string> = Readonly<Partial<Record<Name, number>>>

export type OutcomeCounts = Counts<JobLeadOutcome>

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
export function describeOutcomeCounts(report: OutcomeCounts): string {
  const counts = { done: 0, skipped: 0, failed: 0 }
  for (const outcome of jobLeadOutcomes) counts[toOutcomeKind(outcome)] += report[outcome] ?? 0
  return outcomeKinds
    .filter((kind) => kind === 'done' || counts[kind] > 0)
    .map((kind) => `${counts[kind].toLocaleString('en-US')} ${kind}`)
    .join(', ')
}

/** Describes an outcome in the audit log, which records a retried delivery as `due`. */
export const describeAuditedOutcome = (outcome: string): string =>
  outcome === 'due' ? outcomeDefinitions.due.result : outcome
