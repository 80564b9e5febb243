import type { Lead } from '#domain/lead/lead.ts'
import type { RetentionLimits } from '#domain/lead/retention.ts'
import type { ErasedPerson } from './erase-person.ts'

/** The kinds of leads that are owed to nobody any more. */
export const endedKinds = ['delivered', 'rejected', 'dead', 'not owed'] as const

/** What is over its time. */
export interface OverTime {
  /** Leads whose answers would go, by how their delivery ended; `not owed`: there never was one. */
  readonly leads: Readonly<Record<(typeof endedKinds)[number], number>>
  /** Older, but still owed to the distributor: they stay until that is settled. */
  readonly stillOwed: number
  /** Proofs of consent that would go; their leads are erased before. */
  readonly consents: number
}

interface Batch {
  /** Epoch milliseconds. */
  readonly before: number
  readonly after: BatchEnd | undefined
  readonly limit: number
}

/** The lead at which a batch ended: the next one begins after it. */
type BatchEnd = Pick<Lead, 'id' | 'receivedAt'>

/** `end` is undefined where there are no more. */
interface BatchDone {
  readonly count: number
  readonly end: BatchEnd | undefined
}

export interface LeadRetention {
  count(limits: RetentionLimits): Promise<OverTime>
  /** Erases the answers of leads that owe nothing, the oldest first; their proofs of consent stay whole. */
  eraseLeads(batch: Batch & { readonly now: number }): Promise<BatchDone>
  /** Removes the proofs of consent of erased leads. */
  removeConsents(batch: Batch): Promise<BatchDone>
  /** Removes from the files what the tables do not hold any more. */
  wipe(): Promise<ErasedPerson['bytes']>
}

export interface Retained {
  readonly leads: number
  readonly consents: number
}

/** A transaction of some milliseconds: an enquiry that comes meanwhile waits for one at most. */
const batchSize = 100

/** Between two batches, in milliseconds, so that whoever else writes has most of the time. */
export const retentionPauseMs = 50

/**
 * Ends what is over its time, and says after each batch how much that was so far. Any number of processes may do so at
 * once: a batch takes only what nobody else has. Whoever stops listening stops it; what is left is found the next time.
 */
export async function* retainLeads(
  retention: LeadRetention,
  { leadsBefore, consentsBefore }: RetentionLimits,
  { now, pause }: { readonly now: number; readonly pause: () => Promise<unknown> },
): AsyncGenerator<Retained> {
  let done: Retained = { leads: 0, consents: 0 }
  const leads = (after: BatchEnd | undefined) =>
    retention.eraseLeads({ before: leadsBefore, after, limit: batchSize, now })
  for await (const count of inBatches(leads, pause)) {
    done = { ...done, leads: done.leads + count }
    yield done
  }
  const consents = (after: BatchEnd | undefined) =>
    retention.removeConsents({ before: consentsBefore, after, limit: batchSize })
  for await (const count of inBatches(consents, pause)) {
    done = { ...done, consents: done.consents + count }
    yield done
  }
}

async function* inBatches(
  run: (after: BatchEnd | undefined) => Promise<BatchDone>,
  pause: () => Promise<unknown>,
): AsyncGenerator<number> {
  let batch = await run(undefined)
  while (batch.end !== undefined) {
    yield batch.count
    await pause()
    batch = await run(batch.end)
  }
}
