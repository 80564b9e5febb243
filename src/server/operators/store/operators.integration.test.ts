import { randomUUID, randomUUIDv7 } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import { ofAccount } from '#domain/operator/guessing.ts'
import { mostPlans } from '#server/jobs/job-store.ts'
import { mostViews } from '#server/leads/list/saved-views.ts'
import type { Store } from '#server/start/open-store.ts'
import { useKeptStores } from '#tests/store/kept-stores.ts'
import { storePlaces } from '#tests/store/store-places.ts'
import { withDatabase } from '#tests/store/with-database.ts'
import type { AuditFilter } from '../audit/audit.ts'
import type { Actor } from '../operator.ts'
import { hashOf, newSecret } from '../secrets.ts'
import { mostSessions, type SignedInBy } from '../sessions/operator-sessions.ts'
import { mostPasskeys } from '../sign-in/operator-credentials.ts'
import { guessKey } from '../sign-in/sign-in-failures.ts'
import { identityId } from './operator-identities.ts'

const now = Date.UTC(2026, 10, 22)

describe.each(storePlaces)('operators in $name', ({ makePlace }) => {
  const { open, settings } = useKeptStores(makePlace)
  let opened: Store
  const store = () => opened
  beforeEach(async () => {
    opened = await open()
  })

  async function operator(role: 'viewer' | 'admin' = 'admin') {
    const id = randomUUIDv7()
    const added = { id, email: `${id}@example.com`, role, createdAt: now, disabledAt: null }
    expect(await store().operators.accounts.add(added)).toBe(true)
    return added
  }
  const session = (at = now) => ({
    id: randomUUID(),
    beganAt: at,
    seenAt: at,
    lastAuthenticatedAt: at,
    network: '203.0.113.7',
    browser: 'Example/1.0',
  })
  const everOpen = { beganSince: 0, seenSince: 0 }

  test('are one an address, and are found by it', async () => {
    const ada = await operator()
    expect(await store().operators.accounts.add({ ...ada, id: randomUUIDv7() })).toBe(false)
    expect(await store().operators.accounts.findByEmail(ada.email)).toEqual(ada)
    await store().operators.accounts.setRole(ada.id, 'viewer', now)
    await store().operators.credentials.setPassword(ada.id, {
      hash: 'hash',
      at: now,
      keptSessionId: undefined,
    })
    const [listed] = (await store().operators.accounts.list()).filter(({ id }) => id === ada.id)
    expect(listed).toMatchObject({ role: 'viewer', hasPassword: true, passkeys: 0, seenAt: null })
  })

  test('have their jobs paused that they might not start any more', async () => {
    const begun = async (action: 'retry' | 'erase') => {
      const { id, email, role } = await operator()
      const by = {
        kind: 'console',
        id,
        email,
        role,
        lastAuthenticatedAt: now,
        network: '',
      } as const
      const job = { id: randomUUIDv7(), action, query: '', keys: undefined, by, rate: 10, at: now }
      await store().jobs.add(job)
      await withDatabase(settings(), (db) =>
        db.updateTable('jobs').set({ phase: 'running' }).where('id', '=', job.id).execute(),
      )
      return { operatorId: id, pausedAt: async () => (await store().jobs.find(job.id))?.pausedAt }
    }
    const { accounts } = store().operators
    const [disabled, demoted, still] = [
      await begun('retry'),
      await begun('erase'),
      await begun('retry'),
    ]
    await accounts.disable(disabled.operatorId, now + 1)
    await accounts.setRole(demoted.operatorId, 'operator', now + 2)
    await accounts.setRole(still.operatorId, 'operator', now + 3)
    expect(await disabled.pausedAt()).toBe(now + 1)
    expect(await demoted.pausedAt()).toBe(now + 2)
    expect(await still.pausedAt()).toBeNull()
  })

  test('leave no links for others and no sessions behind where they are disabled or demoted', async () => {
    const { accounts, links, sessions } = store().operators
    const ends = [
      (id: string) => accounts.disable(id, now),
      (id: string) => accounts.setRole(id, 'viewer', now),
      (id: string) => accounts.withdrawRole(id, now),
    ]
    for (const end of ends) {
      const [ada, guest, other] = [
        await operator(),
        await operator('viewer'),
        await operator('viewer'),
      ]
      const by = { ...ada, kind: 'console', lastAuthenticatedAt: now, network: '' } as const
      const [codeHash, othersHash, token] = [newSecret(), newSecret(), newSecret()].map(hashOf)
      await store().audit.record(by, { action: 'made an invitation', subject: guest.id }, now)
      const link = { purpose: 'invitation', expiresAt: now + 1 } as const
      await links.make({ ...link, codeHash: codeHash ?? '', operatorId: guest.id, by })
      await links.make({ ...link, codeHash: othersHash ?? '', operatorId: other.id })
      await sessions.open(token ?? '', ada.id, session(), { kind: 'link' })
      await end(ada.id)
      expect(await links.find(codeHash ?? '', 'invitation', now)).toBeUndefined()
      expect(await links.find(othersHash ?? '', 'invitation', now), 'not theirs').toBe(other.id)
      expect(await sessions.find(token ?? '', everOpen)).toBeUndefined()
    }
    const gone = await operator()
    await accounts.disable(gone.id, now)
    const by = { ...gone, kind: 'console', lastAuthenticatedAt: now, network: '' } as const
    const late = { purpose: 'invitation', expiresAt: now + 1, operatorId: gone.id, by } as const
    await expect(links.make({ ...late, codeHash: newSecret() })).rejects.toThrow('may not')
  })

  test('use a link once, though many try at the same time', async () => {
    const { id } = await operator()
    const codeHash = hashOf(newSecret())
    const { links } = store().operators
    await links.make({ codeHash, operatorId: id, purpose: 'sign-in', expiresAt: now + 1 })
    expect(await links.use(codeHash, 'invitation', now)).toBeUndefined()
    expect(await links.use(codeHash, 'sign-in', now + 1)).toBeUndefined()
    const used = await Promise.all([1, 2, 3, 4].map(() => links.use(codeHash, 'sign-in', now)))
    expect(used.filter((found) => found === id)).toHaveLength(1)
  })

  test('have one link of a purpose: another one ends it', async () => {
    const { id } = await operator()
    const { links } = store().operators
    const [first, second] = [hashOf(newSecret()), hashOf(newSecret())]
    for (const codeHash of [first, second])
      await links.make({ codeHash, operatorId: id, purpose: 'invitation', expiresAt: now + 1 })
    expect(await links.find(first, 'invitation', now)).toBeUndefined()
    expect(await links.find(second, 'invitation', now)).toBe(id)
  })

  test('have sessions, which end with their operator, each by itself, and all but one', async () => {
    const { id } = await operator()
    const { sessions, accounts } = store().operators
    const hashes = [newSecret(), newSecret(), newSecret()].map(hashOf)
    const ids: string[] = []
    for (const [index, hash] of hashes.entries()) {
      const opened = session(now + index)
      ids.push(opened.id)
      await sessions.open(hash, id, opened, { kind: 'link' })
    }
    expect((await sessions.list(id, everOpen)).map((found) => found.id)).toEqual(ids.toReversed())
    expect((await sessions.find(hashes[0] ?? '', everOpen))?.operator.id).toBe(id)
    expect(await sessions.find(hashes[0] ?? '', { beganSince: now, seenSince: 0 })).toBeUndefined()
    expect(await sessions.end(ids[0] ?? '', randomUUIDv7())).toBe(false)
    expect(await sessions.end(ids[0] ?? '', id)).toBe(true)
    expect(await sessions.endWaysIn(id, ids[1])).toBe(1)
    await accounts.disable(id, now)
    expect(await sessions.find(hashes[1] ?? '', everOpen)).toBeUndefined()
  })

  const passkeyOf = (operatorId: string, id = newSecret()) => ({
    ...{ id, operatorId, publicKey: 'key', counter: 0, createdAt: now },
  })
  const password = { hash: 'hash', at: now, keptSessionId: undefined }

  test('have a password and an identity of their own, whatever ids others’ passkeys have', async () => {
    const [ada, mallory] = [await operator(), await operator()]
    const { credentials, identities } = store().operators
    const identity = { issuer: 'https://login.example.edu', subject: ada.id }
    for (const id of [ada.id, identityId(identity)]) {
      expect(await credentials.addPasskey(passkeyOf(mallory.id, id))).toBe('added')
    }
    expect(await credentials.setPassword(ada.id, password)).toBe(true)
    expect(await credentials.password(ada.id)).toBe('hash')
    expect(await credentials.passwordOf(ada.email)).toEqual({ operator: ada, hash: 'hash' })
    expect(await identities.link(ada.id, identity, now)).toBe(true)
    expect(await identities.find(identity)).toBe(ada.id)
    // Once they are theirs nobody takes their place.
    for (const id of [ada.id, identityId(identity)]) {
      expect(await credentials.addPasskey(passkeyOf(mallory.id, id))).toBe('known')
    }
    expect(await credentials.passkeys(mallory.id)).toEqual([])
    const own = passkeyOf(ada.id)
    expect(await credentials.addPasskey(own)).toBe('added')
    expect(await credentials.addPasskey({ ...own, operatorId: mallory.id })).toBe('known')
    expect((await credentials.findPasskey(own.id))?.operatorId).toBe(ada.id)
    expect(await identities.link(mallory.id, identity, now)).toBe(false)
  })

  test('who change a password, remove a passkey or an identity, or are disabled, end their other sessions and all links', async () => {
    const { id } = await operator()
    const { accounts, credentials, identities, links, sessions } = store().operators
    const identity = { issuer: 'https://login.example.edu', subject: id }
    const passkey = passkeyOf(id)
    await credentials.addPasskey(passkey)
    await identities.link(id, identity, now)
    const changes = [
      {
        keeps: 1,
        change: (kept: string) => credentials.setPassword(id, { ...password, keptSessionId: kept }),
      },
      { keeps: 1, change: (kept: string) => credentials.removePasskey(passkey.id, id, kept) },
      { keeps: 0, change: () => identities.unlink(id) },
      { keeps: 0, change: () => accounts.disable(id, now) },
    ]
    for (const [index, { keeps, change }] of changes.entries()) {
      const [kept, other] = [session(), session()]
      for (const opened of [kept, other]) {
        expect(await sessions.open(newSecret(), id, opened, { kind: 'link' })).toBe(true)
      }
      const codes = ['invitation', 'sign-in'] as const
      for (const purpose of codes) {
        const codeHash = `${purpose} ${index}`
        await links.make({ codeHash, operatorId: id, purpose, expiresAt: now + 1 })
      }
      expect(await change(kept.id)).not.toBe(false)
      expect((await sessions.list(id, everOpen)).map((open) => open.id)).toEqual(
        keeps === 1 ? [kept.id] : [],
      )
      for (const purpose of codes) {
        expect(await links.find(`${purpose} ${index}`, purpose, now), purpose).toBeUndefined()
      }
    }
    // What was not there ends nothing, and says so.
    expect(await credentials.removePasskey(passkey.id, id, '')).toBe(false)
    expect(await identities.unlink(id)).toBe(0)
  })

  test('come in by nothing that was changed, removed or disabled while they signed in', async () => {
    const { id } = await operator()
    const { accounts, credentials, identities, sessions } = store().operators
    const identity = { issuer: 'https://login.example.edu', subject: id }
    const passkey = passkeyOf(id)
    await credentials.addPasskey(passkey)
    await identities.link(id, identity, now)
    await credentials.setPassword(id, password)
    const ways: SignedInBy[] = [
      { kind: 'password', hash: 'hash' },
      { kind: 'passkey', id: passkey.id },
      { kind: 'single sign-on', identity },
    ]
    const comeIn = () =>
      Promise.all(ways.map((by) => sessions.open(newSecret(), id, session(), by)))
    expect(await comeIn()).toEqual([true, true, true])
    await credentials.setPassword(id, { ...password, hash: 'another' })
    await credentials.removePasskey(passkey.id, id, '')
    await identities.unlink(id)
    expect(await comeIn()).toEqual([false, false, false])
    await accounts.disable(id, now)
    expect(await sessions.open(newSecret(), id, session(), { kind: 'link' })).toBe(false)
    expect(await sessions.list(id, everOpen)).toEqual([])
  })

  test('fill nothing: sessions, passkeys, views and plans have a maximum, and the latest stay', async () => {
    const { id, email, role } = await operator('viewer')
    const { credentials, sessions } = store().operators
    const rounds = Array.from({ length: 120 }, (_, round) => round)
    const by = { kind: 'console', id, email, role, lastAuthenticatedAt: now, network: '' } as const
    for (const round of rounds) {
      await sessions.open(newSecret(), id, session(now + round), { kind: 'link' })
      await credentials.addPasskey(passkeyOf(id))
      const plan = { action: 'retry', query: '', keys: undefined, by, rate: 1, at: now } as const
      await store().jobs.add({ id: randomUUIDv7(), ...plan })
      const view = { id: `${id} ${round}`, operatorId: id, name: `${round}`, query: '' }
      await store().views.add({ ...view, isShared: false }, now)
    }
    const open = await sessions.list(id, everOpen)
    expect(open).toHaveLength(mostSessions)
    expect(open[0]?.beganAt).toBe(now + 119)
    expect(await credentials.passkeys(id)).toHaveLength(mostPasskeys)
    expect(await credentials.addPasskey(passkeyOf(id))).toBe('too many')
    await withDatabase(settings(), async (db) => {
      const count = async (table: 'jobs' | 'saved_views') =>
        (await db.selectFrom(table).select('operator_id').where('operator_id', '=', id).execute())
          .length
      expect(await count('jobs')).toBe(mostPlans)
      expect(await count('saved_views')).toBe(mostViews)
    })
  })

  test('strangers who make up accounts and networks share a fixed number of rows', async () => {
    const { failures } = store().operators
    const keys = new Set(
      Array.from({ length: 300_000 }, (_, n) => guessKey('account', `nobody${n}@example.com`)),
    )
    expect(keys.size).toBeLessThanOrEqual(65_536)
    // An address with the words of another key in it is no other key.
    expect(guessKey('browser', 'ada@example.com', 'x')).not.toBe(
      guessKey('account', 'ada@example.com","x'),
    )
    const [first = ''] = keys
    const counted = [{ key: first, slowing: ofAccount }]
    expect(await failures.begin(counted, now)).toEqual({ kind: 'go', failures: 1 })
    expect(await failures.begin(counted, now)).toEqual({ kind: 'go', failures: 2 })
  })

  test('who guesses many times at once is slowed as who does so one after the other', async () => {
    const { failures } = store().operators
    const key = hashOf(newSecret())
    const begin = () => failures.begin([{ key, slowing: ofAccount }], now)
    const outcomes = await Promise.all(Array.from({ length: 12 }, begin))
    expect(outcomes.filter(({ kind }) => kind === 'go')).toHaveLength(ofAccount.free)
    await failures.forget(key)
    expect(await begin()).toEqual({ kind: 'go', failures: 1 })
  })

  test('a right try takes back its own count and wait, and no other failure', async () => {
    const { failures } = store().operators
    const key = hashOf(newSecret())
    const begin = (at: number) => failures.begin([{ key, slowing: ofAccount }], at)
    for (let n = 0; n < 4; n++) await begin(now)
    expect(await begin(now + 1)).toEqual({ kind: 'go', failures: 5 })
    await failures.takeBack(key, now + 1)
    expect(await begin(now + 2)).toEqual({ kind: 'go', failures: 5 })
    // A try that ends after a later failure leaves that failure's wait alone.
    await failures.takeBack(key, now + 1)
    expect(await begin(now + 3)).toEqual({ kind: 'wait', until: now + 1002 })
  })

  test('what was done stays written down, with what came of it', async () => {
    const ada = await operator()
    const actor: Actor = {
      kind: 'console',
      ...ada,
      lastAuthenticatedAt: now,
      network: '203.0.113.7',
    }
    const subject = randomUUIDv7()
    const entry = { action: 'retried a delivery', subject, reason: 'they are back' } as const
    const id = await store().audit.record(actor, entry, now)
    await store().audit.recordOutcome(id, 'due')
    const line = { kind: 'command line', user: 'root' } as const
    await store().audit.record(line, { action: 'released a lead', subject }, now + 1)
    const acts = await store().audit.list({ subject, take: 9 })
    expect(acts).toMatchObject([
      { who: 'root', via: 'command line', action: 'released a lead', outcome: null },
      { who: ada.email, network: '203.0.113.7', reason: 'they are back', outcome: 'due' },
    ])
    const list = (filter: AuditFilter) => store().audit.list({ ...filter, take: 9 })
    expect(await store().audit.list({ subject, take: 9, before: acts[0]?.id })).toHaveLength(1)
    expect(await list({ subject, user: 'root' })).toEqual([acts[0]])
    expect(await list({ subject, via: 'console' })).toEqual([acts[1]])
    expect(await list({ subject, user: 'root', via: 'console' })).toEqual([])
    expect(await list({ subject, user: 'root', via: 'command line' })).toEqual([acts[0]])
    const action = 'released a lead'
    for (const who of [{ user: 'root' }, { via: 'command line' }, {}] as const) {
      expect(await list({ subject, action, ...who })).toEqual([acts[0]])
    }
    expect(await list({ action, operatorId: ada.id })).toEqual([])
    expect(await list({ action: entry.action, operatorId: ada.id })).toEqual([acts[1]])
    expect(await list({ action: entry.action, user: 'root' })).toEqual([])
    expect(await list({ subject, since: now + 1 })).toEqual([acts[0]])
    expect(await list({ subject, until: now + 1 })).toEqual([acts[1]])
    await store().audit.record({ ...line, user: 'ada' }, { action: 'released leads' }, now)
    await store().audit.record(line, { action: 'released leads' }, now)
    expect(await store().audit.users()).toEqual(['ada', 'root'])
    await withDatabase(settings(), async (db) => {
      await expect(db.deleteFrom('audit').execute()).rejects.toThrow('append-only')
      await expect(db.updateTable('audit').set({ at: 0 }).execute()).rejects.toThrow('append-only')
    })
    expect(await store().audit.list({ subject, take: 9 })).toEqual(acts)
  })
})
