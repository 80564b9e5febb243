import { describe, expect, onTestFinished, test } from 'vitest'
import { emptyFilter } from '#domain/lead/lead-filter.ts'
import { toEmailAddress } from '#server/platform/email-address.ts'
import type { Store } from '#server/store/open-store.ts'
import { releaseLead, retryLead, settleLead } from '#tests/store/act-on-leads.ts'
import { askStore } from '#tests/store/ask-store.ts'
import { attemptUnreadable } from '#tests/store/attempt-unreadable.ts'
import { exampleArrival, exampleTime } from '#tests/store/example-arrival.ts'
import { useKeptStores } from '#tests/store/kept-stores.ts'
import { retryAllEnded } from '#tests/store/retry-all-ended.ts'
import { runInStore } from '#tests/store/run-in-store.ts'
import { storePlaces } from '#tests/store/store-places.ts'
import { makeExpiredLeadEraser } from './erase-expired-leads.ts'
import { exportLeads } from './export-leads.ts'
import { serializePayload } from './lead-payload.ts'
import { toLeadSummary } from './read-leads.ts'

const now = exampleTime
const minute = 60_000
const ada = 'ada@example.com'

/** Payloads as damaged by an accident or by hand: invalid JSON, another structure, a field of another type. */
const damages: readonly string[] = ['', '{}', '[1,', 'null', withPart('phone', 9_415_550_100)]

function withPart(name: string, value: unknown): string {
  return JSON.stringify({ ...JSON.parse(serializePayload(exampleArrival().lead)), [name]: value })
}

describe.each(storePlaces)('a lead that cannot be read on $name', ({ name, makePlace }) => {
  const place = useKeptStores(makePlace)

  async function setPayload(id: string, payload: string): Promise<void> {
    const quoted = payload.replaceAll("'", "''")
    await runInStore(place.settings(), `update leads set payload = '${quoted}' where id = '${id}'`)
  }

  /** Stores a lead, replaces its payload with `payload`, and stores an undamaged newer lead. */
  async function storeTwo(store: Store, payload = '[1,', email = ada) {
    const damaged = exampleArrival({ email, receivedAt: now - 1000 })
    const whole = exampleArrival()
    for (const arrival of [damaged, whole]) await store.intake.accept(arrival)
    await setPayload(damaged.lead.id, payload)
    return { damaged, id: damaged.lead.id, whole: whole.lead.id }
  }

  /** Claims deliveries, and attempts those of unreadable leads. */
  const claim = async (store: Store, at = now) => {
    const due = await store.queue.claimDue({ now: at, leaseUntil: at + minute, limit: 10 })
    const [claimed, reported]: [string[], object[]] = [[], []]
    for (const delivery of due) {
      const { id, unreadable } = { unreadable: undefined, ...delivery.lead }
      if (unreadable) reported.push({ leadId: id, ...unreadable })
      else claimed.push(id)
      if (unreadable) await attemptUnreadable(store, delivery, at)
    }
    return { claimed, reported }
  }

  test('is dead after the first claim, reported once, and delays no other lead', async () => {
    const store = await place.open()
    const ids: string[] = []
    for (const [place, payload] of damages.entries()) {
      ids.push((await storeTwo(store, payload, `${place}@example.com`)).id)
    }
    const { claimed, reported } = await claim(store)
    expect(claimed).toHaveLength(damages.length)
    expect(claimed).not.toEqual(expect.arrayContaining(ids))
    expect(reported).toEqual(
      expect.arrayContaining([
        { leadId: ids[0], parts: ['the whole lead'] },
        { leadId: ids.at(-1), parts: ['phone'] },
      ]),
    )
    expect(await claim(store, now + minute)).toMatchObject({ reported: [] })
    expect(await store.leadReader.stats(now)).toMatchObject({
      byStatus: { dead: damages.length },
      unreadable: damages.length,
    })
    const filter = { status: ['dead'], error: ['unreadable'] } as const
    const listed = await store.leadReader.page({ now, filter, take: 10 })
    expect(listed.map(({ lead }) => lead.id).toSorted()).toEqual(ids.toSorted())
    expect(await store.leadReader.find(ids[0] ?? '', now)).toMatchObject({
      status: 'dead',
      delivery: {
        settledAs: 'dead',
        attempts: [{ outcome: 'not-made', reason: 'unreadable', httpStatus: null }],
      },
    })
  })

  // SQLite has one writer, so it rolls nothing back.
  if (name === 'PostgreSQL') {
    test('is dead, and the others are claimed, even if PostgreSQL first rolls its end back', async () => {
      const store = await place.open()
      const { id, whole } = await storeTwo(store)
      await runInStore(
        place.settings(),
        `create sequence tries;
        create function refuse_once() returns trigger language plpgsql as $$begin
          if nextval('tries') = 1 then raise serialization_failure; end if; return new; end$$;
        create trigger refusing before insert on attempts execute function refuse_once()`,
      )
      onTestFinished(() =>
        runInStore(place.settings(), 'drop function refuse_once cascade; drop sequence tries'),
      )
      expect(await claim(store)).toEqual({
        claimed: [whole],
        reported: [{ leadId: id, parts: ['the whole lead'] }],
      })
    })
  }

  test('is sent once repaired and retried; until then retry reports it and continues with the others', async () => {
    const store = await place.open()
    const { damaged, id } = await storeTwo(store)
    const other = await storeTwo(store, withPart('zip', null), 'bea@example.com')
    await claim(store)
    expect(await retryLead(store, id, now)).toEqual({
      kind: 'unreadable',
      parts: ['the whole lead'],
    })
    await setPayload(id, serializePayload(damaged.lead))
    expect(await retryAllEnded(store, place.settings(), { which: 'dead', now })).toEqual({
      due: 1,
      overtaken: 0,
      unreadable: 1,
    })
    expect(await claim(store, now + 1)).toEqual({ claimed: [id], reported: [] })
    expect(await store.leadReader.stats(now)).toMatchObject({ unreadable: 1 })
    const { lead } = other.damaged
    await store.intake.accept(exampleArrival({ ...lead, id: crypto.randomUUID() }))
    await setPayload(other.id, serializePayload(lead))
    expect(await retryLead(store, other.id, now + 1)).toMatchObject({ kind: 'overtaken' })
  })

  test('blocks no repeat: the next enquiry counts', async () => {
    const store = await place.open()
    const { damaged } = await storeTwo(store)
    await claim(store)
    const again = exampleArrival({ ...damaged.lead, id: crypto.randomUUID() })
    expect(await store.intake.accept(again)).toMatchObject({ duplicateOf: null })
  })

  test('is no probe: the next lead is tried at once', async () => {
    const store = await place.open()
    const { id, whole } = await storeTwo(store)
    await store.breaker.trip({
      cause: 'outage',
      reason: 'HTTP 500',
      since: now,
      at: now,
    })
    // The probe is chosen at random, so the readable lead may come first; then no other probe may start.
    for (let at = now + 1000; ; at++) {
      const probe = await store.queue.claimProbe({ now: at, leaseUntil: at + minute })
      if (probe?.lead.id !== id) {
        expect(probe?.lead.id).toBe(whole)
        break
      }
      await attemptUnreadable(store, probe, at)
    }
  })

  test.each([
    ['delivered', 'dead'],
    ['rejected', 'dead'],
    ['delivered', 'pending'],
    ['rejected', 'pending'],
  ] as const)('is settled by hand as %s where it is %s', async (as, was) => {
    const store = await place.open()
    const { id } = await storeTwo(store)
    if (was === 'dead') await claim(store)
    expect(await settleLead(store, id, as, now)).toEqual({ kind: 'settled', was })
    expect(await store.leadReader.find(id, now)).toMatchObject({
      status: as,
      delivery: { isSettledByHand: true },
    })
  })

  test.each(damages)('is erased by its address and by its id: %j', async (payload) => {
    const store = await place.open()
    const { id } = await storeTwo(store, payload)
    const byId = await storeTwo(store, payload, 'bea@example.com')
    expect(await store.erasure.find(toEmailAddress(ada))).toEqual({ ids: [id], unsearched: [] })
    const erased = { leads: 1, stopped: 1, linked: [], unsearched: [] }
    expect(await store.erasure.erase(toEmailAddress(ada), now)).toMatchObject(erased)
    expect(await store.erasure.erase({ leadId: byId.id }, now)).toMatchObject(erased)
    const program = payload.includes('program') ? exampleArrival().lead.program : null
    expect(await store.leadReader.find(id, now)).toMatchObject({
      status: 'erased',
      lead: { program, gpc: payload.includes('gpc') ? false : expect.toBeOneOf([null, false]) },
    })
    const rows = await askStore(
      place.settings(),
      'select email, payload from leads where erased_at is not null',
    )
    expect(rows).toHaveLength(2)
    expect(JSON.stringify(rows)).not.toMatch(/ada@|bea@|\[1,|9415550100,/)
  })

  test('a person’s corrections whose name cannot be read are left, and named', async () => {
    const store = await place.open()
    const accept = (email: string) =>
      store.intake.accept(exampleArrival({ email, firstName: 'Ada' }, 'the-key'))
    const mistyped = await accept('ada@exampel.com')
    await accept(ada)
    await setPayload(mistyped.id, '')
    expect(await store.erasure.erase(toEmailAddress(ada), now)).toMatchObject({
      leads: 1,
      linked: [mistyped.id],
    })
  })

  test('a lead without an address is reported with every search for a person', async () => {
    const store = await place.open()
    const { id } = await storeTwo(store)
    await runInStore(place.settings(), `update leads set email = '' where id = '${id}'`)
    const person = toEmailAddress('nobody@example.com')
    expect(await store.erasure.find(person)).toEqual({ ids: [], unsearched: [id] })
    expect(await store.erasure.erase(person, now)).toMatchObject({ leads: 0, unsearched: [id] })
    await store.erasure.erase({ leadId: id }, now)
    expect(await store.erasure.find(person)).toEqual({ ids: [], unsearched: [] })
  })

  test('retention erases it like any other', async () => {
    const store = await place.open()
    await storeTwo(store)
    await claim(store)
    const retention = makeExpiredLeadEraser(store.database)
    const limits = { leadsBefore: now + 1, consentsBefore: 0 }
    const { ids } = await retention.find(limits)
    expect(await retention.erase({ ids, limits, now })).toMatchObject({ leads: 1 })
    expect(await store.leadReader.stats(now)).toMatchObject({
      byStatus: { erased: 1 },
      unreadable: 0,
    })
  })

  test('is listed, shown and exported as unreadable, among other leads', async () => {
    const store = await place.open()
    const { id, whole } = await storeTwo(store, withPart('zip', 34_236))
    const other = await storeTwo(store, '', 'bea@example.com')
    const listed = (await store.leadReader.page({ now, take: 10 })).map(toLeadSummary)
    expect(listed.map((lead) => lead.isUnreadable)).toEqual([false, false, true, true])
    expect(listed.find((lead) => lead.id === id)).toMatchObject({
      name: '',
      programName: '',
      email: ada,
    })
    expect(listed.find((lead) => lead.id === other.id)).toMatchObject({ isUnreadable: true })
    expect((await store.leadReader.find(id, now))?.lead).toEqual({
      id,
      receivedAt: now - 1000,
      area: 'healthcare',
      email: ada,
      unreadable: { parts: ['zip'] },
      consent: exampleArrival().lead.consent,
    })
    const lines: string[] = []
    const search = { filter: emptyFilter, keys: undefined, now: now + 1 }
    const exported = exportLeads(store.leadReader, search, 'jsonl')
    for await (const text of exported) lines.push(text)
    const records = lines
      .join('')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(records).toHaveLength(4)
    expect(records.find((record) => record.id === id)).toMatchObject({
      email: ada,
      first_name: null,
      unreadable: 'zip',
      consent_ip: '203.0.113.7',
    })
    expect(records.find((record) => record.id === whole)).toMatchObject({ unreadable: null })
  })

  test('is dead after its release; a new enquiry under its key is stored as a correction', async () => {
    const store = await place.open()
    const arrival = exampleArrival({ email: ada }, 'the-key')
    const id = arrival.lead.id
    await store.intake.accept({ ...arrival, signals: ['too-fast'], isQuarantined: true })
    await setPayload(id, 'null')
    expect(await releaseLead(store, id, now)).toEqual({ kind: 'due' })
    expect(await claim(store)).toMatchObject({ claimed: [], reported: [{ leadId: id }] })
    const again = exampleArrival({ ...arrival.lead, id: crypto.randomUUID() }, 'the-key')
    expect(await store.intake.accept(again)).toMatchObject({ id: again.lead.id, corrects: id })
  })
})
