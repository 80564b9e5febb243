import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { disableAccount, enableAccount, insertAccount } from '#server/operators/accounts.ts'
import type { Actor } from '#server/operators/operator.ts'
import type { Store } from '#server/store/open-store.ts'
import { exampleArrival, exampleTime } from '#tests/store/example-arrival.ts'
import { useKeptStores } from '#tests/store/kept-stores.ts'
import { storePlaces } from '#tests/store/store-places.ts'
import { undoWindowMs } from './release-leads.ts'

const now = exampleTime
const dueAt = now + undoWindowMs
const actor: Actor = { kind: 'command line', user: 'test' }

async function suspect(store: Store, receivedAt = now, email = `${randomUUID()}@example.com`) {
  const arrival = exampleArrival({ receivedAt, email })
  await store.intake.accept({ ...arrival, signals: ['too-fast'], isQuarantined: true })
  return arrival.lead.id
}

const ada = {
  id: 'ada',
  email: 'ada@example.com',
  role: 'operator',
  createdAt: now,
  disabledAt: null,
} as const

async function hold(store: Store, leadId: string) {
  await insertAccount(store.operators.db, ada)
  const auditId = await store.audit.record(
    actor,
    { action: 'released a lead', subject: leadId },
    now,
  )
  return store.heldReleases.hold({ leadId, dueAt, operatorId: ada.id, auditId })
}

const release = (store: Store, at: number) => store.heldReleases.releaseDue(at)

const statusOf = async (store: Store, id: string) => (await store.archive.find(id, dueAt))?.status

const outcomeOf = async (store: Store, subject: string) =>
  (await store.audit.list({ subject, take: 1 }))[0]?.outcome

describe.each(storePlaces)('a release that can be undone on $name', ({ makePlace }) => {
  const place = useKeptStores(makePlace)

  test('is not made where its operator was disabled meanwhile', async () => {
    const store = await place.open()
    const id = await suspect(store)
    expect(await hold(store, id)).toEqual({ kind: 'held' })
    await disableAccount(store.operators.db, ada.id, now)
    await release(store, dueAt)
    expect(await statusOf(store, id)).toBe('quarantined')
    expect(await outcomeOf(store, id)).toBe('not done: the operator may not release leads any more')
    await enableAccount(store.operators.db, ada.id)
  })

  test('sends nothing before its time, whatever makes deliveries due, and then once', async () => {
    const store = await place.open()
    const id = await suspect(store)
    expect(await hold(store, id)).toEqual({ kind: 'held' })
    expect(await hold(store, id)).toEqual({ kind: 'held already' })
    expect(await release(store, dueAt - 1)).toBe(0)
    expect(await store.retries.retry(id, now)).toEqual({ kind: 'quarantined' })
    expect(await store.queue.claimDue({ now: dueAt, leaseUntil: dueAt + 1, limit: 5 })).toEqual([])
    expect(await statusOf(store, id)).toBe('quarantined')

    const other = await place.open()
    await Promise.all([release(store, dueAt), release(other, dueAt), release(other, dueAt)])
    expect(await statusOf(store, id)).toBe('pending')
    expect(await store.heldReleases.list(5)).toEqual([])
    expect(
      (await store.audit.list({ subject: id, take: 5 })).map(({ outcome }) => outcome),
    ).toContain('due')
    expect(await store.heldReleases.undo(id, 'taken back')).toBe(false)
  })

  test('is undone for good', async () => {
    const store = await place.open()
    const id = await suspect(store)
    await hold(store, id)
    expect(await store.heldReleases.undo(id, 'taken back')).toBe(true)
    expect(await store.heldReleases.undo(id, 'taken back')).toBe(false)
    expect(await release(store, dueAt)).toBe(0)
    expect(await statusOf(store, id)).toBe('quarantined')
    expect(await outcomeOf(store, id)).toBe('taken back')
  })

  test('is none of a lead that is erased, released or not in quarantine', async () => {
    const store = await place.open()
    const id = await suspect(store)
    await hold(store, id)
    await store.erasure.erase({ leadId: id }, now)
    expect(await release(store, dueAt)).toBe(1)
    expect(await statusOf(store, id)).toBe('erased')
    expect(await outcomeOf(store, id)).toBe('not done: erased')
    expect(await hold(store, id)).toEqual({ kind: 'erased' })
    expect(await hold(store, randomUUID())).toEqual({ kind: 'unknown' })
    const honest = exampleArrival()
    await store.intake.accept(honest)
    expect(await hold(store, honest.lead.id)).toEqual({ kind: 'not quarantined' })
  })

  test('passes the lead by: the next one is the oldest that nobody has decided about', async () => {
    const store = await place.open()
    const first = await suspect(store, now - 2)
    const second = await suspect(store, now - 1)
    expect(await store.quarantine.next(undefined)).toEqual({ id: first, receivedAt: now - 2 })
    expect(await store.quarantine.count(undefined)).toEqual({ leads: 2, isAll: true })
    await hold(store, first)
    expect(await store.quarantine.next(undefined)).toEqual({ id: second, receivedAt: now - 1 })
    expect(await store.quarantine.count(undefined)).toEqual({ leads: 1, isAll: true })
    const after = { id: second, receivedAt: now - 1 }
    expect(await store.quarantine.next(after)).toBeUndefined()
    expect(await store.quarantine.count(after)).toEqual({ leads: 0, isAll: true })
  })
})
