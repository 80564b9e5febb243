import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { formatDay, formatMonth } from '#domain/calendar.ts'
import { makeAffiliateActions } from '#server/affiliates/manage-affiliates.ts'
import { makeReturnsImporter } from '#server/delivery/import-returns.ts'
import { defaultReturnColumns } from '#server/delivery/parse-returns.ts'
import type { Store } from '#server/store/open-store.ts'
import { settleLead } from '#tests/store/act-on-leads.ts'
import { exampleArrival } from '#tests/store/example-arrival.ts'
import { useKeptStores } from '#tests/store/kept-stores.ts'
import {
  findEntries,
  type History,
  histories,
  historyMonths,
  playHistory,
  sumEntries,
  historyZone as zone,
} from '#tests/store/money-history.ts'
import { storePlaces } from '#tests/store/store-places.ts'
import { makeDatedValueActions } from './dated-values.ts'
import { makeStatementActions } from './statements.ts'

const actor = { kind: 'command line', user: 'ada' } as const
/** LEDGER_HISTORIES=10000 plays as many as the unit test. */
const numRuns = Number(process.env.LEDGER_HISTORIES ?? 40)

/** Plays a history in a store. @returns the ids of the leads, and what was done */
async function play(store: Store, history: History, affiliateId: string, subId: string) {
  const leads = new Map<number, string>()
  const done: boolean[] = []
  for (const one of history) {
    const context = { ...store.operators, audit: store.audit, clock: () => one.at }
    done.push(await act(store, one, { leads, context, affiliateId, subId }))
  }
  return { leads, done }
}

interface Scene {
  readonly leads: Map<number, string>
  readonly context: Parameters<typeof makeDatedValueActions>[0]
  readonly affiliateId: string
  readonly subId: string
}

async function act(
  store: Store,
  one: History[number],
  { leads, context, affiliateId, subId }: Scene,
): Promise<boolean> {
  const { at } = one
  switch (one.kind) {
    case 'payout':
    case 'revenue': {
      const { program, fromDay, cents } = one
      const of = one.kind === 'revenue' ? 'revenue' : { id: affiliateId }
      const errors = await makeDatedValueActions(context, { zone }).set(actor, of, {
        amount: cents === null ? '' : (cents / 100).toFixed(2),
        startsOn: formatDay(fromDay),
        program: `${program ?? ''}`,
      })
      return Object.keys(errors).length === 0
    }
    case 'accept': {
      if (leads.has(one.lead)) return false
      const arrival = exampleArrival({ receivedAt: at, subId })
      const program = { ...arrival.lead.program, id: one.program }
      await store.intake.accept({ ...arrival, lead: { ...arrival.lead, program } })
      leads.set(one.lead, arrival.lead.id)
      return (await settleLead(store, arrival.lead.id, 'delivered', at)).kind === 'settled'
    }
    case 'settle again': {
      const id = leads.get(one.lead)
      return id !== undefined && (await settleLead(store, id, 'delivered', at)).kind !== 'settled'
    }
    case 'return': {
      const id = leads.get(one.lead)
      if (id === undefined) return false
      const returns = makeReturnsImporter({ ...store.database, ...context, zone })
      const text = `reference,date,reason\n${id},${new Date(at).toISOString()},x`
      const result = await returns.import(actor, text, defaultReturnColumns)
      return result.kind === 'imported' && result.recorded === 1
    }
    case 'erase': {
      const leadId = leads.get(one.lead)
      if (leadId === undefined) return false
      await store.erasure.erase({ leadId }, at)
      return true
    }
    case 'close': {
      const statements = makeStatementActions(context, { zone })
      return (await statements.close(actor, affiliateId, one.month)) === 'closed'
    }
  }
}

describe.each(storePlaces)('random histories on $name', ({ makePlace }) => {
  const place = useKeptStores(makePlace)

  test('lead to the ledger and the statements that the definitions say', {
    timeout: 3_600_000,
  }, async () => {
    const store = await place.open()
    let played = 0
    const check = async (history: History) => {
      const subId = `a${played++}`
      await store.database.db.deleteFrom('affiliate_ids').execute()
      const details = { name: subId, ids: [subId], notes: '', payoutCents: null, postbackUrl: null }
      const context = { ...store.operators, audit: store.audit, clock: () => 0 }
      const affiliates = makeAffiliateActions(context, { allowsLocal: false, zone })
      const { id } = await affiliates.save(actor, details)
      // Revenues belong to no affiliate, so each history has programs of its own.
      const own: History = history.flatMap((one): History => {
        if (!('program' in one)) return [one]
        if (one.program !== null) return [{ ...one, program: one.program + 10 * played }]
        return one.kind === 'revenue' ? [] : [one]
      })
      const { leads, done } = await play(store, own, id, subId)
      const model = playHistory(own)
      expect(done).toEqual(model.done)
      const rows = await store.database.db
        .selectFrom('lead_ledger')
        .select([
          'lead_id as lead',
          'kind',
          'at',
          'payout_cents as payout',
          'revenue_cents as revenue',
        ])
        .where('affiliate_id', '=', id)
        .execute()
      const inOrder = (entries: readonly object[]) =>
        entries.map((one) => JSON.stringify(one)).sort()
      expect(inOrder(rows)).toEqual(
        inOrder(
          model.entries.map(({ month: _, ...entry }) => ({
            ...entry,
            lead: leads.get(entry.lead),
          })),
        ),
      )
      const statements = makeStatementActions(context, { zone })
      for (const month of historyMonths) {
        expect(await statements.find(actor, id, month), formatMonth(month)).toMatchObject(
          sumEntries(findEntries(model, month)),
        )
      }
    }
    await fc.assert(fc.asyncProperty(histories, check), { numRuns })
  })
})
