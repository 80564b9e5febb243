import type { Transaction } from 'kysely'
import type { BulkAction } from '#domain/job/bulk-action.ts'
import type { MemberOutcome } from '#domain/job/member-outcome.ts'
import { retryLeads } from '#server/delivery/retry-leads.ts'
import { eraseOnRequest } from '#server/leads/store/erasure/person-erasure.ts'
import { releaseLead } from '#server/leads/store/lead-quarantine.ts'
import type { Locking } from '#server/platform/database/locking.ts'
import type { StoreTables } from '#server/platform/database/tables/store-tables.ts'

type Store = Transaction<StoreTables>

export interface CameOf {
  readonly outcome: MemberOutcome
  readonly detail: string | null
}

interface Acting {
  readonly leadIds: readonly string[]
  readonly now: number
  readonly locking: Locking
}

/** Does to each of these leads what its page does, in the caller's transaction. */
export const actOnMembers = (
  store: Store,
  action: BulkAction,
  acting: Acting,
): Promise<ReadonlyMap<string, CameOf>> => acts[action](store, acting)

const acts: Readonly<
  Record<BulkAction, (store: Store, acting: Acting) => Promise<ReadonlyMap<string, CameOf>>>
> = {
  retry: async (store, { leadIds, now }) => {
    const outcomes = await retryLeads(store, leadIds, now)
    return new Map(
      [...outcomes].map(([id, outcome]) => {
        const { kind } = outcome
        const detail = kind === 'overtaken' ? outcome.by : kind === 'duplicate' ? outcome.of : null
        return [id, { outcome: kind, detail }]
      }),
    )
  },
  release: async (store, { leadIds, now }) => {
    const came = new Map<string, CameOf>()
    for (const id of leadIds) {
      const released = await releaseLead(store, id, now)
      came.set(
        id,
        released.kind === 'duplicate'
          ? { outcome: 'released, owes none', detail: released.of }
          : { outcome: released.kind, detail: null },
      )
    }
    return came
  },
  erase: async (store, { leadIds, now, locking }) => {
    const { met } = await eraseOnRequest(store, leadIds, { now, locking })
    const words = {
      stopped: 'erased now',
      'nothing owed': 'erased now',
      underWay: 'erased under way',
      delivered: 'erased after delivery',
    } as const
    return new Map(
      leadIds.map((id) => {
        const found = met.get(id)
        return [id, { outcome: found === undefined ? 'erased' : words[found], detail: null }]
      }),
    )
  },
}
