import { randomUUIDv7 } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import { accountBackoff } from '#domain/operator/sign-in-limits.ts'
import { findJob, makeJobs } from '#server/jobs/jobs.ts'
import { insertSavedView, maxSavedViews } from '#server/leads/saved-views.ts'
import type { Store } from '#server/store/open-store.ts'
import { useKeptStores } from '#tests/store/kept-stores.ts'
import { storePlaces } from '#tests/store/store-places.ts'
import { withDatabase } from '#tests/store/with-database.ts'
import {
  disableAccount,
  endAllAccess,
  findAccountByEmail,
  insertAccount,
  listAccounts,
  setAccountRole,
} from './accounts.ts'
import type { AuditFilter } from './audit.ts'
import {
  addCredential,
  findAccountWithPassword,
  findCredential,
  listCredentials,
  maxPasskeys,
  type NewCredential,
  removeCredentials,
  toIdentityCredential,
} from './credentials.ts'
import { findOneTimeLink, insertOneTimeLink, redeemOneTimeLink } from './one-time-links.ts'
import { toConsoleActor } from './operator.ts'
import { hashSecret, makeSecret } from './secrets.ts'
import {
  beginSession,
  endSession,
  findSession,
  listSessions,
  maxSessions,
  type SignInMethod,
} from './sessions.ts'
import {
  beginSignInAttempt,
  clearSignInAttempts,
  forgetSuccessfulAttempt,
  makeSignInAttemptKey,
} from './sign-in-attempts.ts'

const now = Date.UTC(2026, 10, 22)

describe.each(storePlaces)('operators in $name', ({ makePlace }) => {
  const { open, settings } = useKeptStores(makePlace)
  let opened: Store
  const store = () => opened
  const db = () => opened.operators.db
  beforeEach(async () => {
    opened = await open()
  })

  async function operator(role: 'viewer' | 'admin' = 'admin') {
    const id = randomUUIDv7()
    const added = { id, email: `${id}@example.com`, role, createdAt: now, disabledAt: null }
    expect(await insertAccount(db(), added)).toBe(true)
    return added
  }
  const context = (at = now + 1000) => ({ db: db(), clock: () => at })
  const begin = (id: string, by: SignInMethod = 'link', at = now) =>
    beginSession(context(at), { id }, { network: '203.0.113.7', browser: 'Example/1.0' }, by)
  const sessionOf = async (secret = '') => (await findSession(context(), secret))?.id ?? ''
  const passkeyOf = (id = makeSecret()) => ({ kind: 'passkey', id, secret: 'key' }) as const
  const passwordOf = (id: string) => ({ kind: 'password', id, secret: 'hash' }) as const
  const add = (operatorId: string, credential: NewCredential, keptSessionId?: string) =>
    addCredential(db(), credential, { operatorId, at: now, keptSessionId })

  test('have one account per address', async () => {
    const ada = await operator()
    expect(await insertAccount(db(), { ...ada, id: randomUUIDv7() })).toBe(false)
    expect(await findAccountByEmail(db(), ada.email)).toEqual(ada)
    await setAccountRole(db(), ada.id, 'viewer', now)
    await add(ada.id, passwordOf(ada.id))
    const [listed] = (await listAccounts(db())).filter(({ id }) => id === ada.id)
    expect(listed).toMatchObject({ role: 'viewer', hasPassword: true, passkeys: 0, seenAt: null })
  })

  test('have jobs paused that they may no longer start', async () => {
    const begun = async (action: 'retry' | 'erase') => {
      const added = await operator()
      const by = toConsoleActor(added, '', now)
      const { database } = store()
      const jobs = makeJobs(database, {
        clock: () => now,
        onWork: () => undefined,
      })
      const jobId = await jobs.run(by, { action, query: '' }, { reason: 'back', rate: 10 })
      return {
        operatorId: added.id,
        pausedAt: async () => (await findJob(database.db, jobId))?.pausedAt,
      }
    }
    const [disabled, demoted, still] = [
      await begun('retry'),
      await begun('erase'),
      await begun('retry'),
    ]
    await disableAccount(db(), disabled.operatorId, now + 1)
    await setAccountRole(db(), demoted.operatorId, 'operator', now + 2)
    await setAccountRole(db(), still.operatorId, 'operator', now + 3)
    expect(await disabled.pausedAt()).toBe(now + 1)
    expect(await demoted.pausedAt()).toBe(now + 2)
    expect(await still.pausedAt()).toBeNull()
  })

  test('lose their sessions and the links that they made when they are disabled or demoted', async () => {
    const ends = [
      (id: string) => disableAccount(db(), id, now),
      (id: string) => setAccountRole(db(), id, 'viewer', now),
      (id: string) => endAllAccess(db(), id, now),
    ]
    for (const end of ends) {
      const [ada, guest, other] = [
        await operator(),
        await operator('viewer'),
        await operator('viewer'),
      ]
      const by = toConsoleActor(ada, '', now)
      await store().audit.record(by, { action: 'made an invitation', subject: guest.id }, now)
      const link = { purpose: 'invitation', expiresAt: now + 1 } as const
      const code = await insertOneTimeLink(store().operators.db, {
        ...link,
        operatorId: guest.id,
        by,
      })
      const others = await insertOneTimeLink(store().operators.db, {
        ...link,
        operatorId: other.id,
      })
      const secret = await begin(ada.id)
      expect(await sessionOf(secret)).not.toBe('')
      await end(ada.id)
      expect(await findOneTimeLink(db(), code, 'invitation', now)).toBeUndefined()
      expect(await findOneTimeLink(db(), others, 'invitation', now), 'not theirs').toEqual(other)
      expect(await sessionOf(secret)).toBe('')
    }
    const gone = await operator()
    await disableAccount(db(), gone.id, now)
    const by = toConsoleActor(gone, '', now)
    const late = { purpose: 'invitation', expiresAt: now + 1, operatorId: gone.id, by } as const
    await expect(insertOneTimeLink(store().operators.db, late)).rejects.toThrow('may not')
  })

  test('can use a link once, even with simultaneous attempts', async () => {
    const { id } = await operator()
    const link = { operatorId: id, purpose: 'sign-in', expiresAt: now + 1 } as const
    const code = await insertOneTimeLink(store().operators.db, link)
    expect(await redeemOneTimeLink(db(), code, 'invitation', now)).toBeUndefined()
    expect(await redeemOneTimeLink(db(), code, 'sign-in', now + 1)).toBeUndefined()
    const used = await Promise.all(
      [1, 2, 3, 4].map(() => redeemOneTimeLink(db(), code, 'sign-in', now)),
    )
    expect(used.filter((found) => found?.id === id)).toHaveLength(1)
  })

  test('have one link per purpose: a new one ends the earlier one', async () => {
    const { id } = await operator()
    const link = { operatorId: id, purpose: 'invitation', expiresAt: now + 1 } as const
    const first = await insertOneTimeLink(store().operators.db, link)
    const second = await insertOneTimeLink(store().operators.db, link)
    expect(await findOneTimeLink(db(), first, 'invitation', now)).toBeUndefined()
    expect((await findOneTimeLink(db(), second, 'invitation', now))?.id).toBe(id)
  })

  test('have sessions that end alone, with age or when the operator is disabled', async () => {
    const { id } = await operator()
    const secrets: string[] = []
    for (const n of [0, 1, 2]) secrets.push((await begin(id, 'link', now + n)) ?? '')
    const [first = '', second = ''] = secrets
    const ids = await Promise.all(secrets.map((secret) => sessionOf(secret)))
    const listed = await listSessions(context(), id)
    expect(listed.map((found) => found.id)).toEqual(ids.toReversed())
    expect((await findSession(context(), first))?.operator.id).toBe(id)
    const dayLater = now + 24 * 60 * 60 * 1000
    expect(await findSession(context(dayLater), first)).toBeUndefined()
    expect(await endSession(db(), ids[0] ?? '', randomUUIDv7())).toBe(false)
    expect(await endSession(db(), ids[0] ?? '', id)).toBe(true)
    expect((await findSession(context(), second))?.operator.id).toBe(id)
    await disableAccount(db(), id, now)
    expect(await findSession(context(), second)).toBeUndefined()
  })

  test('can set a password and link an identity, even if a forged passkey has its id', async () => {
    const [ada, mallory] = [await operator(), await operator()]
    const identity = toIdentityCredential({ issuer: 'https://login.example.edu', subject: ada.id })
    for (const id of [ada.id, identity.id]) {
      expect(await add(mallory.id, passkeyOf(id))).toBeUndefined()
    }
    expect(await add(ada.id, passwordOf(ada.id))).toBeUndefined()
    expect((await listCredentials(db(), ada.id)).hasPassword).toBe(true)
    expect(await findAccountWithPassword(db(), ada.email)).toEqual({ operator: ada, hash: 'hash' })
    expect(await add(ada.id, identity)).toBeUndefined()
    expect((await findCredential(db(), identity))?.operatorId).toBe(ada.id)
    // Nobody can replace an existing passkey.
    for (const id of [ada.id, identity.id]) {
      expect(await add(mallory.id, passkeyOf(id))).toContain('already registered')
    }
    expect((await listCredentials(db(), mallory.id)).passkeys).toEqual([])
    const own = passkeyOf()
    expect(await add(ada.id, own)).toBeUndefined()
    expect(await add(mallory.id, own)).toContain('already registered')
    expect((await findCredential(db(), own))?.operatorId).toBe(ada.id)
    expect(await add(mallory.id, identity)).toContain('already registered')
    expect((await findCredential(db(), identity))?.operatorId).toBe(ada.id)
  })

  test('lose other sessions and all links when a credential changes or they are disabled', async () => {
    const { id } = await operator()
    const passkey = passkeyOf()
    await add(id, passkey)
    await add(id, toIdentityCredential({ issuer: 'https://login.example.edu', subject: id }))
    const unlink = () => removeCredentials(db(), id, { kind: 'single sign-on' })
    const changes = [
      { keeps: 1, change: (kept: string) => add(id, passwordOf(id), kept) },
      { keeps: 1, change: (kept: string) => removeCredentials(db(), id, passkey, kept) },
      { keeps: 0, change: unlink },
      { keeps: 0, change: () => disableAccount(db(), id, now) },
    ]
    for (const { keeps, change } of changes) {
      const kept = await sessionOf(await begin(id))
      expect(await sessionOf(await begin(id))).not.toBe('')
      const link = { operatorId: id, expiresAt: now + 1 }
      const invitation = await insertOneTimeLink(store().operators.db, {
        ...link,
        purpose: 'invitation',
      })
      const signIn = await insertOneTimeLink(store().operators.db, { ...link, purpose: 'sign-in' })
      expect(await change(kept)).not.toBe(0)
      expect((await listSessions(context(), id)).map((open) => open.id)).toEqual(
        keeps === 1 ? [kept] : [],
      )
      expect(await findOneTimeLink(db(), invitation, 'invitation', now)).toBeUndefined()
      expect(await findOneTimeLink(db(), signIn, 'sign-in', now)).toBeUndefined()
    }
    // Removing a missing credential ends no session, and returns 0.
    expect(await removeCredentials(db(), id, passkey)).toBe(0)
    expect(await unlink()).toBe(0)
  })

  test('cannot finish a sign-in with a credential that changed meanwhile', async () => {
    const { id } = await operator()
    const identity = toIdentityCredential({ issuer: 'https://login.example.edu', subject: id })
    const ways = [passwordOf(id), passkeyOf(), identity]
    for (const way of ways) await add(id, way)
    const signIns = async () =>
      (await Promise.all(ways.map((by) => begin(id, by)))).map((secret) => secret !== undefined)
    expect(await signIns()).toEqual([true, true, true])
    await add(id, { ...passwordOf(id), secret: 'another' })
    for (const kind of ['passkey', 'single sign-on'] as const) {
      await removeCredentials(db(), id, { kind })
    }
    expect(await signIns()).toEqual([false, false, false])
    await disableAccount(db(), id, now)
    expect(await begin(id)).toBeUndefined()
    expect(await listSessions(context(), id)).toEqual([])
  })

  test('have a maximum number of sessions, passkeys and views, and keep the latest', async () => {
    const { id } = await operator('viewer')
    const rounds = Array.from({ length: 120 }, (_, round) => round)
    for (const round of rounds) {
      await begin(id, 'link', now + round)
      await add(id, passkeyOf())
      const view = { id: `${id} ${round}`, operatorId: id, name: `${round}`, query: '' }
      await insertSavedView(db(), { ...view, isShared: false }, now)
    }
    const open = await listSessions(context(), id)
    expect(open).toHaveLength(maxSessions)
    expect(open[0]?.beganAt).toBe(now + 119)
    expect((await listCredentials(db(), id)).passkeys).toHaveLength(maxPasskeys)
    expect(await add(id, passkeyOf())).toContain('at most')
    await withDatabase(settings(), async (db) => {
      const views = db.selectFrom('saved_views').select('id').where('operator_id', '=', id)
      expect(await views.execute()).toHaveLength(maxSavedViews)
    })
  })

  test('invented accounts and networks share a fixed number of rows', async () => {
    const keys = new Set(
      Array.from({ length: 300_000 }, (_, n) =>
        makeSignInAttemptKey('account', `nobody${n}@example.com`),
      ),
    )
    expect(keys.size).toBeLessThanOrEqual(65_536)
    // An email address that contains parts of another key must not produce that key.
    expect(makeSignInAttemptKey('browser', 'ada@example.com', 'x')).not.toBe(
      makeSignInAttemptKey('account', 'ada@example.com","x'),
    )
    const [first = ''] = keys
    const counted = [{ key: first, policy: accountBackoff }]
    expect(await beginSignInAttempt(db(), counted, now)).toEqual({ kind: 'go', failures: 1 })
    expect(await beginSignInAttempt(db(), counted, now)).toEqual({ kind: 'go', failures: 2 })
  })

  test('simultaneous guesses are slowed like consecutive ones', async () => {
    const key = hashSecret(makeSecret())
    const begin = () => beginSignInAttempt(db(), [{ key, policy: accountBackoff }], now)
    const outcomes = await Promise.all(Array.from({ length: 12 }, begin))
    expect(outcomes.filter(({ kind }) => kind === 'go')).toHaveLength(accountBackoff.free)
    await clearSignInAttempts(db(), key)
    expect(await begin()).toEqual({ kind: 'go', failures: 1 })
  })

  test('an attempt that has to wait stores nothing, so guesses at many accounts add no rows', async () => {
    const [network, account] = [hashSecret(makeSecret()), hashSecret(makeSecret())]
    const both = [account, network].map((key) => ({ key, policy: accountBackoff }))
    const counted = [{ key: network, policy: accountBackoff }]
    for (let n = 0; n < accountBackoff.free; n++) await beginSignInAttempt(db(), counted, now)
    expect(await beginSignInAttempt(db(), both, now)).toEqual({ kind: 'wait', until: now + 1000 })
    const rows = db().selectFrom('sign_in_failures').select('key').where('key', '=', account)
    expect(await rows.execute()).toEqual([])
  })

  test('a successful attempt removes its own count and wait, and keeps other failures', async () => {
    const key = hashSecret(makeSecret())
    const begin = (at: number) => beginSignInAttempt(db(), [{ key, policy: accountBackoff }], at)
    for (let n = 0; n < 4; n++) await begin(now)
    expect(await begin(now + 1)).toEqual({ kind: 'go', failures: 5 })
    await forgetSuccessfulAttempt(db(), key, now + 1)
    expect(await begin(now + 2)).toEqual({ kind: 'go', failures: 5 })
    // If an attempt ends after a later failure, the wait from that failure stays.
    await forgetSuccessfulAttempt(db(), key, now + 1)
    expect(await begin(now + 3)).toEqual({ kind: 'wait', until: now + 1002 })
  })

  test('audit entries stay, with their results', async () => {
    const ada = await operator()
    const actor = toConsoleActor(ada, '203.0.113.7', now)
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
    expect(await list({ subject, operatorId: ada.id })).toEqual([acts[1]])
    const action = 'released a lead'
    for (const who of [{ user: 'root' }, {}] as const) {
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
