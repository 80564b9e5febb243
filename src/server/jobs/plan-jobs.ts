import { randomUUIDv7 } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import type { BulkAction } from '#domain/job/bulk-action.ts'
import { defaultRate } from '#domain/job/rate.ts'
import { meantBy } from '#server/leads/list/filter-in.ts'
import type { LeadCount, LeadFinder } from '#server/leads/list/lead-finder.ts'
import { searchedKeys } from '#server/leads/list/searched-keys.ts'
import { type AuditLog, audited } from '#server/operators/audit.ts'
import { authorise } from '#server/operators/authorise.ts'
import type { Actor } from '#server/operators/operator.ts'
import { jobInWords } from './job-in-audit.ts'
import { mayPlan } from './job-rights.ts'
import type { JobStore } from './job-store.ts'

export interface JobOrder {
  readonly action: BulkAction
  /** As in the address of the leads, and right. */
  readonly query: string
  readonly searchId: string | undefined
}

export type PlanOutcome =
  | { readonly kind: 'planned'; readonly id: string }
  /** No lead is meant: there is nothing to plan. */
  | { readonly kind: 'empty' }

export interface PlanJobsPorts {
  readonly jobs: Pick<JobStore, 'add' | 'find'>
  readonly finder: Pick<LeadFinder, 'count' | 'searches'>
  readonly audit: AuditLog
  readonly clock: () => number
  /** Called when there is something to do for who works at jobs. */
  readonly onWork: () => void
}

/** Who has planned a few leads sees the whole plan at once. In milliseconds. */
const waitsForPlan = 700
const looksEvery = 30

/** What an act on all leads of a filter would come to; nothing is done yet. */
export function makePlanJobs({ jobs, finder, audit, clock, onWork }: PlanJobsPorts) {
  async function planned(id: string): Promise<void> {
    const until = performance.now() + waitsForPlan
    do {
      await setTimeout(looksEvery)
      if ((await jobs.find(id))?.phase !== 'planning') return
    } while (performance.now() < until)
  }

  return {
    /** How many are meant, as far as a page says it. @throws SearchEndedError */
    count: async (
      actor: Actor,
      order: Pick<JobOrder, 'query' | 'searchId'>,
    ): Promise<LeadCount> => {
      const now = clock()
      authorise(actor, 'run jobs', now)
      const keys = await searchedKeys(finder.searches, order.searchId, actor, now)
      return finder.count({ filter: meantBy(order.query), keys, now })
    },
    /** Counts what it would do, in the background where that takes longer than a moment. @throws SearchEndedError */
    plan: async (actor: Actor, { action, query, searchId }: JobOrder): Promise<PlanOutcome> => {
      const now = clock()
      mayPlan(actor, action, now)
      const keys = await searchedKeys(finder.searches, searchId, actor, now)
      const filter = meantBy(query)
      const { leads, isAll } = await finder.count({ filter, keys, now })
      if (leads === 0 && isAll) return { kind: 'empty' }
      const id = randomUUIDv7()
      await audited(
        audit,
        { actor, at: now, action: 'planned a job', subject: id },
        () => jobs.add({ id, action, query, keys, by: actor, rate: defaultRate, at: now }),
        () => jobInWords({ action, query, isOfSearch: keys !== undefined }),
      )
      onWork()
      await planned(id)
      return { kind: 'planned', id }
    },
  }
}
