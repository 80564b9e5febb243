import { expect, vi } from 'vitest'
import type { StoreSettings } from '#server/store/open-store.ts'
import { askStore } from '#tests/store/ask-store.ts'
import type { Distributor } from './distributor.ts'
import type { Visitors } from './visitors.ts'

/** Deliveries that no answer has settled. */
export async function waiting(settings: StoreSettings): Promise<number> {
  const [row] = await askStore(
    settings,
    'select count(*) as n from deliveries where settled_at is null',
  )
  return Number(row?.n)
}

/** Waits until every delivery of the store is settled, by whatever processes are at work on it. */
export async function drained(settings: StoreSettings, withinMs = 120_000): Promise<void> {
  const isDrained = async () => (await waiting(settings)) === 0
  await vi.waitUntil(isDrained, { timeout: withinMs, interval: 100 })
}

export interface Account {
  /** Enquiries whose visitor has read "Information Received". */
  readonly acknowledged: number
  /** Of those, how many have neither reached the distributor nor wait in the store. */
  readonly lost: number
  /** How often the distributor got a lead that it had already. */
  readonly duplicatesSent: number
  /** The same, as the product itself counts what may have been sent again. */
  readonly duplicatesPossiblySent: number
}

/**
 * Holds what visitors were promised against what the distributor has received and the store still holds, and fails
 * where an enquiry is lost, stored twice, or was sent twice without the product's saying that it may have been.
 */
export async function accountFor(
  { acknowledged, contradicted }: Pick<Visitors, 'acknowledged' | 'contradicted'>,
  distributor: Distributor,
  settings: StoreSettings,
): Promise<Account> {
  const rows = await askStore(
    settings,
    `select idempotency_key as key, leads.id, settled_at, coalesce(possible_duplicates, 0) as possible
    from leads left join deliveries on deliveries.lead_id = leads.id`,
  )
  const stored = new Map(rows.map((row) => [row.key, row]))
  const possible = new Map(rows.map((row) => [row.id, Number(row.possible)]))
  const kept = distributor.timesKept()
  const isWaiting = (key: string) => stored.get(key)?.settled_at === null
  const lost = [...acknowledged].filter(([key, id]) => !kept.get(id) && !isWaiting(key))
  const again = [...kept].map(([id, times]) => ({ id, times: Math.max(0, times - 1) }))

  expect(acknowledged.size).toBeGreaterThan(0)
  expect(lost).toEqual([])
  expect(contradicted).toEqual([])
  // Another id under a visitor's key would be the enquiry of somebody else.
  expect([...acknowledged].filter(([key, id]) => stored.get(key)?.id !== id)).toEqual([])
  expect(again.filter(({ id, times }) => times > (possible.get(id) ?? 0))).toEqual([])
  return {
    acknowledged: acknowledged.size,
    lost: lost.length,
    duplicatesSent: sum(again.map(({ times }) => times)),
    duplicatesPossiblySent: sum([...possible.values()]),
  }
}

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0)
