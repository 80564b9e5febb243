import { expect } from 'vitest'
import type { StoreSettings } from '#server/store/open-store.ts'
import { patience } from '#tests/patience/patience.ts'
import { until } from '#tests/patience/until.ts'
import { type Ask, askStore, whileAsking } from '#tests/store/ask-store.ts'
import type { Distributor } from './distributor.ts'
import type { Visitors } from './visitors.ts'

/** The number of deliveries that are not settled. */
export const waiting = (settings: StoreSettings): Promise<number> =>
  whileAsking(settings, countWaiting)

async function countWaiting(ask: Ask): Promise<number> {
  const [row] = await ask('select count(*) as n from deliveries where settled_at is null')
  return Number(row?.n)
}

/** Waits until every delivery in the store is settled by the running processes. */
export async function drained(settings: StoreSettings, withinMs = 5 * patience): Promise<void> {
  await whileAsking(settings, (ask) => {
    const isDrained = async () => (await countWaiting(ask)) === 0
    return until(isDrained, { timeout: withinMs })
  })
}

export interface Account {
  /** The number of enquiries whose visitor has read "Information Received". */
  readonly acknowledged: number
  /** How many acknowledged enquiries have neither reached the distributor nor wait in the store. */
  readonly lost: number
  /** How often the distributor got a lead that it already had. */
  readonly duplicatesSent: number
  /** The product's own count of leads that may have been sent again. */
  readonly duplicatesPossiblySent: number
}

/**
 * Compares what visitors were promised with the distributor's and the store's leads. Fails if an enquiry is lost, is
 * stored twice, or was sent twice without being counted as possibly sent twice.
 */
export async function accountFor(
  { acknowledged, contradicted }: Pick<Visitors, 'acknowledged' | 'contradicted'>,
  distributor: Distributor,
  settings: StoreSettings,
): Promise<Account> {
  const rows = await askStore(
    settings,
    `select idempotency_key as key, leads.id, corrects, deliveries.id as delivery, settled_at,
      coalesce(possible_duplicates, 0) as possible
    from leads left join deliveries on deliveries.lead_id = leads.id`,
  )
  const stored = new Map(rows.map((row) => [row.id, row]))
  const firstOf = new Map(rows.map((row) => [row.key, row.id]))
  const possible = new Map(rows.map((row) => [row.id, Number(row.possible)]))
  const kept = distributor.timesKept()
  const isWaiting = (id: string) => {
    const row = stored.get(id)
    return typeof row?.delivery === 'string' && row.settled_at === null
  }
  const lost = [...acknowledged.values()].filter((id) => !kept.get(id) && !isWaiting(id))
  const again = [...kept].map(([id, times]) => ({ id, times: Math.max(0, times - 1) }))

  expect(acknowledged.size).toBeGreaterThan(0)
  expect(lost).toEqual([])
  expect(contradicted).toEqual([])
  // A lead with another key would belong to another enquiry. One lead for two enquiries would have lost a correction.
  const isOfKey = ([enquiry, id]: [string, string]) => keyOf(stored.get(id)?.key) === keyOf(enquiry)
  expect([...acknowledged].filter((entry) => !isOfKey(entry))).toEqual([])
  expect(new Set(acknowledged.values()).size).toBe(acknowledged.size)
  // The first lead of a key corrects none, and every other lead of the key corrects the first.
  const first = (key: unknown) => (key === keyOf(key) ? null : firstOf.get(keyOf(key)))
  expect(rows.filter(({ key, corrects }) => corrects !== first(key))).toEqual([])
  expect(again.filter(({ id, times }) => times > (possible.get(id) ?? 0))).toEqual([])
  return {
    acknowledged: acknowledged.size,
    lost: lost.length,
    duplicatesSent: sum(again.map(({ times }) => times)),
    duplicatesPossiblySent: sum([...possible.values()]),
  }
}

/** The idempotency key of an enquiry, without the suffix of its correction. */
const keyOf = (text: unknown): string => String(text).split(/[ /]/)[0] ?? ''

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0)
