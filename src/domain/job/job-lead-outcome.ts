const outcomeKinds = ['done', 'skipped', 'failed'] as const

type JobOutcomeKind = (typeof outcomeKinds)[number]

const makeOutcome =
  (kind: JobOutcomeKind) =>
  (planned: string, result = planned) => ({ kind, planned, result })

const done = makeOutcome('done')
const skipped = makeOutcome('skipped')

/** What a job did to one lead. The store and the JSON of `jobs show` contain the names of the outcomes. */
export const outcomeDefinitions = {
  due: done('will be due at once', 'due at once'),
  'released, owes none': done(
    'will be released without a delivery, because it repeats another lead',
    'released without a delivery, because it repeats another lead',
  ),
  'erased now': done('will be erased', 'erased'),
  'erased under way': done(
    'will be erased during its delivery: the distributor may still get it',
    'erased during its delivery: the distributor may have it',
  ),
  'erased after delivery': done(
    'will be erased here; the distributor has a copy',
    'erased here; ask the distributor to erase its copy',
  ),
  leased: skipped('is being delivered now', 'was being delivered'),
  'settled since': skipped('settled by hand since the job was planned'),
  delivered: skipped('already delivered; sending it again would make a duplicate'),
  duplicate: skipped('duplicate, has no delivery'),
  overtaken: skipped('replaced by a newer enquiry from the same person'),
  quarantined: skipped('in quarantine; release it first'),
  'not quarantined': skipped('not in quarantine', 'was not in quarantine'),
  'asked not to be contacted': skipped('not sent, because the person asked not to be contacted'),
  erased: skipped('already erased'),
  unreadable: skipped('can’t be read, so it isn’t sent'),
  unknown: skipped('no longer exists'),
  failed: makeOutcome('failed')('will fail', 'failed; the log says why'),
}

export type JobLeadOutcome = keyof typeof outcomeDefinitions

/** All outcomes in the order in which pages list them, starting with `done`. */
export const jobLeadOutcomes = Object.keys(outcomeDefinitions) as readonly JobLeadOutcome[]

export const isJobLeadOutcome = (text: string): text is JobLeadOutcome =>
  Object.hasOwn(outcomeDefinitions, text)

export const toOutcomeKind = (outcome: JobLeadOutcome): JobOutcomeKind =>
  outcomeDefinitions[outcome].kind

/** The number of leads with each outcome; an outcome without leads is absent. */
export type OutcomeCounts = Readonly<Partial<Record<JobLeadOutcome, number>>>

/** Adds the outcomes of a job's latest step to the counts of its earlier steps. */
export function addOutcomeCounts(
  results: Iterable<{ readonly outcome: JobLeadOutcome }>,
  before: OutcomeCounts,
): OutcomeCounts {
  const counts: Partial<Record<JobLeadOutcome, number>> = { ...before }
  for (const { outcome } of results) counts[outcome] = (counts[outcome] ?? 0) + 1
  return counts
}

/** Returns a text such as `99,000 done, 1,000 skipped`. */
export function describeOutcomeCounts(report: OutcomeCounts): string {
  const counts = { done: 0, skipped: 0, failed: 0 }
  for (const outcome of jobLeadOutcomes) counts[toOutcomeKind(outcome)] += report[outcome] ?? 0
  return outcomeKinds
    .filter((kind) => kind === 'done' || counts[kind] > 0)
    .map((kind) => `${counts[kind].toLocaleString('en-US')} ${kind}`)
    .join(', ')
}

/** Describes an outcome from the audit log, in which a retried delivery has the outcome `due`. */
export const describeAuditedOutcome = (outcome: string): string =>
  outcome === 'due' ? outcomeDefinitions.due.result : outcome
