import { parse } from 'csv-parse/sync'
import { describe, expect, test } from 'vitest'
import { touchParts } from '#domain/lead/attribution.ts'
import { emptyFilter, type LeadFilter } from '#domain/lead/lead-filter.ts'
import { leadStatuses } from '#domain/lead/lead-status.ts'
import type { ExportFormat } from '#server/platform/export-formats.ts'
import type { Store } from '#server/store/open-store.ts'
import { exampleArrival, exampleTime } from '#tests/store/example-arrival.ts'
import { useKeptStores } from '#tests/store/kept-stores.ts'
import { storeLeadOfEachStatus } from '#tests/store/lead-of-each-status.ts'
import { storePlaces } from '#tests/store/store-places.ts'
import { exportLeads } from './export-leads.ts'

const now = exampleTime
const minute = 60_000
const iso = (at: number) => new Date(at).toISOString()

async function textOf(store: Store, format: ExportFormat, filter: Partial<LeadFilter> = {}) {
  const chunks: string[] = []
  const search = { filter: { ...emptyFilter, ...filter }, keys: undefined, now: now + 1 }
  const text = exportLeads(store.leadReader, search, format)
  for await (const chunk of text) chunks.push(chunk)
  return chunks.join('')
}

async function recordsOf(
  store: Store,
  filter?: Partial<LeadFilter>,
): Promise<Record<string, unknown>[]> {
  const lines = (await textOf(store, 'jsonl', filter)).split('\n')
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line))
}

describe.each(storePlaces)('exporting leads from $name', ({ makePlace }) => {
  const place = useKeptStores(makePlace)

  test('an empty store gives a header, or nothing', async () => {
    const store = await place.open()
    expect(await textOf(store, 'csv')).toMatch(/^id,received_at,status,[a-z0-9_,]+\r\n$/)
    expect(await textOf(store, 'jsonl')).toBe('')
  })

  test('a lead is exported with all its fields', async () => {
    const store = await place.open()
    const ids = await storeLeadOfEachStatus(store)
    const [rejected] = await recordsOf(store, { status: ['rejected'] })
    const { consent } = exampleArrival().lead
    const empty = Object.fromEntries(
      touchParts.flatMap((part) => [
        [`first_${part}`, null],
        [`last_${part}`, null],
      ]),
    )
    expect(rejected).toEqual({
      id: ids.rejected,
      received_at: iso(now - 7 * minute),
      status: 'rejected',
      area: 'healthcare',
      affiliate: 'affiliate 7',
      first_name: 'Zoë',
      last_name: "O'Neill",
      phone: '9415550100',
      email: 'rejected@example.com',
      street: '1 Palm Avenue',
      city: 'Sarasota',
      state: 'FL',
      zip: '34236',
      zip_plus_4: null,
      address_verified: true,
      education_level_id: 790,
      graduating_year: 2012,
      program_id: 12,
      program_name: 'B.S. Nursing (RN to BSN)',
      start_date_id: 'one-to-three-months',
      consent_at: iso(consent.at),
      consent_page: consent.pageUrl,
      consent_ip: consent.ip,
      consent_user_agent: consent.userAgent,
      consent_text_sha256: consent.textHash,
      duplicate_of: null,
      erased_at: null,
      delivery_id: expect.any(String),
      delivery_settled_as: 'rejected',
      delivery_settled_at: iso(now + 5),
      delivery_attempts: 1,
      delivery_last_outcome: 'rejected',
      delivery_last_reason: 'cap',
      delivery_last_response: 'Reached the monthly offer cap',
      delivery_next_attempt_at: null,
      gpc: false,
      opened_at: null,
      erased_by: null,
      signals: null,
      quarantined_at: null,
      released_at: null,
      returned_at: null,
      return_reason: null,
      reference: expect.stringMatching(/^[2-9C-X]{8}$/),
      corrects: null,
      corrected_by: null,
      delivery_settled_by_hand: false,
      delivery_restored_at: null,
      unreadable: null,
      source: 'news',
      campaign: 'spring sale',
      ...empty,
      first_utm_source: 'google',
      first_gclid: 'click 1',
      last_utm_source: 'news',
      last_utm_campaign: 'spring sale',
      last_utm_content: 'ad 7',
      last_utm_medium: 'cpc',
      last_referrer: 'news.example',
    })
    const [quarantined] = await recordsOf(store, { status: ['quarantined'] })
    expect(quarantined).toMatchObject({
      signals: 'too-fast',
      quarantined_at: iso(now - 3 * minute),
    })
  })

  test('CSV has the same data as JSON lines, and no formula runs', async () => {
    const store = await place.open()
    const lead = { firstName: '=HYPERLINK("http://x.example","a")', lastName: 'a "b", c' }
    await store.intake.accept(exampleArrival(lead))
    await storeLeadOfEachStatus(store)
    const rows = parse(await textOf(store, 'csv'), { columns: true }) as Record<string, string>[]
    const records = await recordsOf(store)
    expect(rows).toHaveLength(10)
    expect(rows.at(-1)).toMatchObject({ first_name: `'${lead.firstName}`, last_name: 'a "b", c' })
    for (const [index, row] of rows.entries()) {
      const { first_name, ...record } = records[index] ?? {}
      const cells = Object.entries(record).map(([name, value]) => [name, String(value ?? '')])
      expect(row).toMatchObject(Object.fromEntries(cells))
    }
  })

  test('an erased lead is exported without personal data', async () => {
    const store = await place.open()
    const ids = await storeLeadOfEachStatus(store)
    const [erased] = await recordsOf(store, { status: ['erased'] })
    expect(erased).toMatchObject({
      id: ids.erased,
      area: 'healthcare',
      program_id: 12,
      first_name: null,
      phone: null,
      email: null,
      consent_at: iso(exampleArrival().lead.consent.at),
      consent_ip: null,
      consent_user_agent: null,
      erased_at: iso(now),
      erased_by: 'request',
      delivery_settled_as: 'erased',
    })
  })

  test('exports all pages, oldest first, even with equal times', async () => {
    const store = await place.open()
    const arrivals = Array.from({ length: 1100 }, (_, index) =>
      exampleArrival({ receivedAt: now - (index % 3) }),
    )
    await Promise.all(arrivals.map((arrival) => store.intake.accept(arrival)))
    const ids = arrivals
      .map(({ lead }) => lead)
      .toSorted((a, b) => a.receivedAt - b.receivedAt || (a.id < b.id ? -1 : 1))
      .map(({ id }) => id)
    for (const status of [[], ['pending']] as const) {
      expect((await recordsOf(store, { status })).map(({ id }) => id)).toEqual(ids)
    }
  })

  test.each(leadStatuses)('exports only leads with the status %s', async (status) => {
    const store = await place.open()
    const ids = await storeLeadOfEachStatus(store)
    expect(await recordsOf(store, { status: [status] })).toMatchObject([
      { id: ids[status], status },
    ])
  })

  test('exports only leads of a period or an area', async () => {
    const store = await place.open()
    const ids = Object.values(await storeLeadOfEachStatus(store))
    const choice = { since: now - 9 * minute, until: now - 7 * minute }
    expect((await recordsOf(store, choice)).map(({ id }) => id)).toEqual(ids.slice(1, 3))
    expect(await recordsOf(store, { area: ['business'] })).toEqual([])
  })
})
