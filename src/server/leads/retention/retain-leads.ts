import type { Lead } from '#domain/lead/lead.ts'
import type { RetentionLimits } from '#domain/lead/retention.ts'
import { AdaptiveThrottle } from '#server/jobs/adaptive-throttle.ts'
import type { ErasedPerson } from '../erase-person.ts'

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

export interface RetentionSearch {
  /** Epoch milliseconds. */
  readonly before: number
  /** Where the last search has ended. */
  readonly after: SearchEnd | undefined
}

/** The last lead that was looked at: the next search begins after it. */
type SearchEnd = Pick<Lead, 'id' | 'receivedAt'>

export interface RetentionFound {
  readonly ids: readonly string[]
  /** Undefined where there are no more. */
  readonly end: SearchEnd | undefined
}

export interface LeadRetention {
  count(limits: RetentionLimits): Promise<OverTime>
  /** The oldest leads that owe nothing, of those that one search looks at: it costs the same however many there are. */
  findLeads(search: RetentionSearch): Promise<RetentionFound>
  /**
   * Erases the answers of those that still owe nothing; their proofs of consent stay whole.
   * @returns how many it were
   */
  eraseLeads(order: { readonly ids: readonly string[]; readonly now: number }): Promise<number>
  /** Erased leads with a proof of consent. */
  findConsents(search: RetentionSearch): Promise<RetentionFound>
  /** @returns how many it were */
  removeConsents(ids: readonly string[]): Promise<number>
  /** Removes from the files what the tables do not hold any more. */
  wipe(): Promise<ErasedPerson['bytes']>
}

export interface Retained {
  readonly leads: number
  readonly consents: number
  /** Epoch milliseconds: those received before are done; undefined at first. */
  readonly reached: number | undefined
}

interface RetainPorts {
  /** Epoch milliseconds. */
  readonly now: number
  /** Leaves the store to others for so many milliseconds. */
  readonly pause: (ms: number) => Promise<unknown>
}

/** Between two searches that found nothing, in milliseconds: they read, and hold up nobody who writes. */
const searchPauseMs = 10

/**
 * Ends what is over its time, as slowly as it must for nobody to notice, and says now and then how much that was so far.
 * Any number of processes may do so at once: a batch takes only what nobody else has. Whoever stops listening stops it;
 * what is left is found the next time.
 */
export async function* retainLeads(
  retention: LeadRetention,
  { leadsBefore, consentsBefore }: RetentionLimits,
  { now, pause }: RetainPorts,
): AsyncGenerator<Retained> {
  let done: Retained = { leads: 0, consents: 0, reached: undefined }
  const leads = inBatches({
    find: (after) => retention.findLeads({ before: leadsBefore, after }),
    run: (ids) => retention.eraseLeads({ ids, now }),
    pause,
  })
  for await (const { count, reached } of leads) {
    done = { ...done, leads: done.leads + count, reached }
    yield done
  }
  const consents = inBatches({
    find: (after) => retention.findConsents({ before: consentsBefore, after }),
    run: (ids) => retention.removeConsents(ids),
    pause,
  })
  for await (const { count, reached } of consents) {
    done = { ...done, consents: done.consents + count, reached }
    yield done
  }
}

interface BatchPorts extends Pick<RetainPorts, 'pause'> {
  readonly find: (after: SearchEnd | undefined) => Promise<RetentionFound>
  readonly run: (ids: readonly string[]) => Promise<number>
}

async function* inBatches({ find, run, pause }: BatchPorts) {
  const pace = new AdaptiveThrottle()
  let reached: number | undefined
  let found = await find(undefined)
  while (found.end !== undefined) {
    for (let begin = 0; begin < found.ids.length; ) {
      const ids = found.ids.slice(begin, begin + pace.next(found.ids.length - begin))
      const startedAt = performance.now()
      const count = await run(ids)
      const wait = pace.took(performance.now() - startedAt, ids.length)
      begin += ids.length
      yield { count, reached }
      await pause(wait)
    }
    reached = found.end.receivedAt
    yield { count: 0, reached }
    await pause(searchPauseMs)
    found = await find(found.end)
  }
}
