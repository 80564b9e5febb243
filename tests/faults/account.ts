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

/**
 * Waits until every webhook is sent, and compares the calls with the store. Fails if an accepted lead caused no call or
 * two notifications, or if a call was repeated without being counted as possibly repeated.
 */
export async function accountForNotifications(receiver: Distributor, settings: StoreSettings) {
  const isSent = async () => {
    const [row] = await askStore(
      settings,
      'select count(*) as n from notifications where settled_at is null',
    )
    return Number(row?.n) === 0
  }
  await until(isSent, { timeout: 5 * patience })
  const rows = await askStore(
    settings,
    `select deliveries.lead_id, notifications.id, notifications.possible_duplicates as possible
    from deliveries left join notifications on notifications.lead_id = deliveries.lead_id
    where deliveries.settled_as = 'delivered'`,
  )
  const kept = receiver.timesKept()
  const timesOf = (id: unknown) => kept.get(String(id)) ?? 0
  expect(new Set(rows.map(({ lead_id }) => lead_id)).size).toBe(rows.length)
  expect(rows.filter(({ id }) => timesOf(id) === 0)).toEqual([])
  expect(rows.filter(({ id, possible }) => timesOf(id) - 1 > Number(possible))).toEqual([])
  return { notifications: rows.length, notifiedAgain: sum(rows.map(({ id }) => timesOf(id) - 1)) }
}

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0)
