import { createHook } from 'node:async_hooks'
import { DefaultQueryCompiler } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { findAccountByEmail } from '#server/operators/accounts.ts'
import { addCredential } from '#server/operators/credentials.ts'
import { insertOneTimeLink } from '#server/operators/one-time-links.ts'
import { hashPassword } from '#server/operators/passwords.ts'
import { deleteExpiredRows } from '#server/store/expired-rows.ts'
import { openStore } from '#server/store/open-store.ts'
import { sayVerb } from '#tests/cli/say-verb.ts'
import {
  openConsole,
  type SignedIn,
  signedIn,
  signIn,
  visitor,
} from '#tests/console/console-visitor.ts'
import { type InProcessProduct, startInProcess } from '#tests/product/start-in-process.ts'
import { withDatabase } from '#tests/store/with-database.ts'

const hour = 60 * 60 * 1000
const password = 'four words nobody says'

let product: InProcessProduct
let consoleOrigin: string
let admin: SignedIn
let now = Date.now()
let invited = 0

beforeAll(async () => {
  product = await startInProcess({}, undefined, () => now)
  consoleOrigin = openConsole(product)
  admin = await signIn(product.consoleLink)
})
afterAll(() => product.stop())

/** Invites an operator as the admin and resolves with the link. */
async function invite(email: string, role = 'operator'): Promise<string> {
  const page = await (await admin.post('/operators', { email, role })).text()
  return /http:\S+invitation\?code=[\w-]+/.exec(page)?.[0] ?? ''
}

async function operatorWithPassword(role = 'operator') {
  const email = `person${invited++}@example.com`
  const link = await invite(email, role)
  const code = new URL(link).searchParams.get('code') ?? ''
  const guest = await visitor(consoleOrigin)
  const reply = await guest.post('/sign-in/invitation', { code, password })
  return { email, code, reply }
}

/** The operator's status in the list of operators. */
async function statusOf(email: string): Promise<string | undefined> {
  const page = await (await admin.get('/operators')).text()
  return new RegExp(`${email}(?:(?!</tr>)[^])*?>(active|invited)<`).exec(page)?.[1]
}

const tryPassword = async (email: string, given: string) =>
  (await visitor(consoleOrigin)).post('/sign-in', { email, password: given })

test('a command in a shell without the server’s settings prints a link to the running console', async () => {
  const { email } = await operatorWithPassword()
  const { stdout } = await sayVerb(product.store, ['sign-in-link', email])
  expect(stdout).toContain(`${consoleOrigin}/sign-in?code=`)
})

describe('an invitation', () => {
  test('can be opened any number of times, and sets a password once', async () => {
    const email = 'ada@example.com'
    const link = await invite(email)
    const code = new URL(link).searchParams.get('code') ?? ''
    for (const _ of [1, 2]) expect(await (await fetch(link)).text()).toContain(email)
    expect(await statusOf(email)).toBe('invited')
    const guest = await visitor(consoleOrigin)
    const reply = await guest.post('/sign-in/invitation', { code, password })
    expect(reply.status).toBe(303)
    expect(await statusOf(email)).toBe('active')
    expect(await statusOf('demo@example.com'), 'signed in by a link only').toBe('active')
    expect(reply.headers.get('set-cookie')).toMatch(/console=[\w-]{43};/)
    expect((await guest.post('/sign-in/invitation', { code, password })).status).toBe(403)
    expect((await tryPassword('Ada@Example.com ', password)).status).toBe(303)
  })

  test.each([
    ['too short', 'elevenchars'],
    ['leaked', 'unbelievable'],
    ['a leaked one made longer', 'password1234!!'],
    ['with the own address in it', 'bertrand-and-more'],
  ])('refuses a password that is %s, and stays valid', async (_, weak) => {
    const email = `bertrand@${invited++}.example.com`
    const link = await invite(email)
    const code = new URL(link).searchParams.get('code') ?? ''
    const guest = await visitor(consoleOrigin)
    const reply = await guest.post('/sign-in/invitation', { code, password: weak })
    expect(reply.status).toBe(422)
    expect(await reply.text()).toMatch(/Choose/)
    expect((await guest.post('/sign-in/invitation', { code, password })).status).toBe(303)
  })

  test('to an existing operator ends their sessions and their unused sign-in link', async () => {
    const { email, reply } = await operatorWithPassword()
    const before = await signedIn(consoleOrigin, reply)
    expect((await before.get('/leads')).status).toBe(200)
    const operators = await (await admin.get('/operators')).text()
    const id = new RegExp(`${email}[^]*?/operators/([\\w-]+)/invite`).exec(operators)?.[1]
    const page = await (await admin.post(`/operators/${id}/invite`, {})).text()
    const code = /invitation\?code=([\w-]+)/.exec(page)?.[1] ?? ''
    const link = await newLink(email)
    const guest = await visitor(consoleOrigin)
    await guest.post('/sign-in/invitation', { code, password: 'quite another four words' })
    expect((await fetch(link, { redirect: 'manual' })).status).toBe(403)
    const shown = await before.get('/leads')
    expect(shown.headers.get('location')).toMatch(/^\/sign-in/)
  })

  test('expires after a day', async () => {
    const link = await invite('late@example.com')
    now += 24 * hour
    expect((await fetch(link)).status).toBe(403)
    now -= 24 * hour
    expect((await fetch(link)).status).toBe(200)
  })
})

describe('guessing', () => {
  beforeEach(async () => {
    // After two hours the failed sign-ins of earlier tests no longer count.
    now += 2 * hour
    admin = await signIn(await newLink())
  })
  const guess = 'wrong and wrong again'
  const tryFrom = (guest: SignedIn, known: string, email: string, given: string) =>
    fetch(`${consoleOrigin}/sign-in`, {
      method: 'POST',
      headers: { ...guest.headers, origin: consoleOrigin, cookie: `${guest.cookie}; ${known}` },
      body: guest.form({ email, password: given }),
      redirect: 'manual',
    })
  /** Signs in and resolves with the known-browser cookie, as in its `Set-Cookie` header. */
  async function knownCookie(email: string): Promise<string> {
    const session = await enter(email)
    const page = await session.get('/account')
    return page.headers.getSetCookie().find((set) => set.startsWith('console-known=')) ?? ''
  }
  const pairOf = (setCookie: string) => setCookie.split(';')[0] ?? ''

  test('is slowed by account, and answers the same for unknown accounts', async () => {
    const { email } = await operatorWithPassword()
    const nobody = 'nobody@example.com'
    for (const address of [email, nobody]) {
      const answers = []
      for (let i = 0; i < 6; i++) {
        const reply = await tryPassword(address, guess)
        answers.push(reply.status)
        expect(await reply.text()).toContain(
          reply.status === 403
            ? 'Wrong email address or password'
            : 'Too many attempts. Wait 1 second',
        )
      }
      expect(answers).toEqual([403, 403, 403, 403, 403, 429])
    }
    expect((await tryPassword(email, password)).status).toBe(429)
    now += 1001
    expect((await tryPassword(email, password)).status).toBe(303)
  })

  test('by one client does not slow known browsers and confirmations in its network', async () => {
    const { email } = await operatorWithPassword('admin')
    const colleague = await operatorWithPassword()
    const set = await knownCookie(email)
    expect(set).toMatch(/HttpOnly/)
    expect(set).toMatch(/SameSite=Lax/)
    expect(set).not.toContain(email)
    const theirs = await enter(email)
    for (let i = 0; i < 20; i++) await tryPassword(`guess${i}@example.com`, guess)
    expect((await tryPassword(email, password)).status).toBe(429)
    const guest = await visitor(consoleOrigin)
    const foreign = [
      pairOf(await knownCookieBefore(colleague.email)),
      pairOf(set).replace(/.$/, (last) => (last === 'A' ? 'B' : 'A')),
      'console-known=made.up',
    ]
    for (const cookie of foreign) {
      expect((await tryFrom(guest, cookie, email, password)).status).toBe(429)
    }
    expect((await tryFrom(guest, pairOf(set), email, password)).status).toBe(303)
    expect((await theirs.post('/confirm', { password })).status).toBe(303)
    // A thief of the cookie gets no more guesses than anybody else.
    const answers = []
    for (let i = 0; i < 6; i++) {
      answers.push((await tryFrom(guest, pairOf(set), email, guess)).status)
    }
    expect(answers).toEqual([403, 403, 403, 403, 403, 429])
    expect((await tryFrom(guest, pairOf(set), email, password)).status).toBe(429)
  })

  test('from a network stays slowed when somebody there signs in correctly', async () => {
    const colleague = await operatorWithPassword()
    const { email } = await operatorWithPassword()
    for (let i = 0; i < 19; i++) await tryPassword(`guess${i}@example.com`, guess)
    expect((await tryPassword(colleague.email, password)).status).toBe(303)
    expect((await tryPassword('guess19@example.com', guess)).status).toBe(403)
    expect((await tryPassword(email, password)).status).toBe(429)
  })

  /** Resolves with the known-browser cookie of a session that began through a sign-in link, which slow sign-ins don't affect. */
  async function knownCookieBefore(email: string): Promise<string> {
    const page = await (await signIn(await newLink(email))).get('/account')
    return page.headers.getSetCookie().find((found) => found.startsWith('console-known=')) ?? ''
  }

  test('costs the same statements and hashes whether the account exists or not', async () => {
    const { email } = await operatorWithPassword()
    const disabled = await operatorWithPassword()
    await admin.post(`/operators/${await idOf(disabled.email)}/disable`)
    await invite('without.password@example.com')
    // An attempt must hash a password even if the account has none: without the hash, its timing would reveal that.
    expect((await workOf(() => hashPassword('x'.repeat(20)))).hashes).toBe(1)
    const known = await workOf(async () =>
      expect((await tryPassword(email, guess)).status).toBe(403),
    )
    expect(known.hashes).toBe(1)
    expect(known.statements.length).toBeGreaterThan(3)
    for (const address of [
      'nobody.at.all@example.com',
      disabled.email,
      'without.password@example.com',
    ]) {
      const work = await workOf(() => tryPassword(address, guess))
      expect(work, address).toEqual(known)
    }
  })
})

/** Counts the password hashes and the statements while `act` runs. */
async function workOf(act: () => Promise<unknown>) {
  let hashes = 0
  const hook = createHook({
    init: (_, type) => {
      if (type === 'ARGON2REQUEST') hashes++
    },
  }).enable()
  const compile = vi.spyOn(DefaultQueryCompiler.prototype, 'compileQuery')
  await act()
  hook.disable()
  const statements = compile.mock.results
    .map(({ value }) => value.sql as string)
    .filter((sql) => /operator|sign_in|audit/.test(sql))
  compile.mockRestore()
  return { hashes, statements }
}

/** Makes a new sign-in link, because the old session of the operator has ended. */
async function newLink(email = 'demo@example.com'): Promise<string> {
  const store = await openStore(product.store)
  const { id = '' } = (await findAccountByEmail(store.operators.db, email)) ?? {}
  const link = { operatorId: id, purpose: 'sign-in', expiresAt: now + hour } as const
  const code = await insertOneTimeLink(store.operators.db, link)
  await store.close()
  return `${consoleOrigin}/sign-in?code=${code}`
}

describe('a session', () => {
  test('ends after 8 hours without a request, and after 24 in any case', async () => {
    const begin = now
    const idle = await signIn(await newLink())
    now = begin + 8 * hour - 1
    expect((await idle.get('/')).status).toBe(200)
    now += 8 * hour + 1
    expect((await idle.get('/')).status).toBe(303)

    const busy = await signIn(await newLink())
    for (let i = 0; i < 3; i++) {
      now += 7 * hour
      expect((await busy.get('/')).status).toBe(200)
    }
    now += 3 * hour
    expect((await busy.get('/')).status).toBe(303)
    admin = await signIn(await newLink())
  })

  test('gets a new secret at every sign-in', async () => {
    const guest = await visitor(consoleOrigin)
    const { email } = await operatorWithPassword()
    const reply = await guest.post('/sign-in', { email, password })
    expect(reply.headers.get('set-cookie')).not.toContain(guest.cookie)
    expect((await guest.get('/')).status).toBe(303)
  })

  test('is stored as a hash', async () => {
    await withDatabase(product.store, async (db) => {
      const secret = admin.cookie.split('=')[1] ?? ''
      const rows = await db.selectFrom('operator_sessions').selectAll().execute()
      expect(rows.length).toBeGreaterThan(0)
      expect(JSON.stringify(rows)).not.toContain(secret)
      const links = await db.selectFrom('operator_links').selectAll().execute()
      expect(JSON.stringify(links)).not.toContain(new URL(await newLink()).searchParams.get('code'))
    })
  })

  test('is listed, and another one can end it', async () => {
    const { email } = await operatorWithPassword()
    const [one, other] = [await enter(email), await enter(email)]
    const page = await (await one.get('/account')).text()
    const ids = [...page.matchAll(/name="id" value="([\w-]+)"/g)].map(([, id]) => id ?? '')
    for (const id of ids) await one.post('/account/sessions/end', { id })
    expect((await other.get('/')).status).toBe(303)
    expect((await one.get('/')).status).toBe(200)
  })

  test('of another operator or with an invented id is not ended, and adds no audit entry', async () => {
    const { email } = await operatorWithPassword()
    const [one, other] = [await enter(email), admin]
    const page = await (await other.get('/account')).text()
    const [, theirs = ''] = /name="id" value="([\w-]+)"/.exec(page) ?? []
    for (const id of [theirs, 'none']) {
      const pageText = await (await one.post('/account/sessions/end', { id })).text()
      expect(pageText).not.toContain('The session has ended')
    }
    const acts = await (await admin.get(`/audit?who=${await idOf(email)}`)).text()
    expect(acts).toContain('signed in')
    expect(acts.split('<tbody>')[1]).not.toContain('ended a session')
  })

  test('ends at once when its operator is disabled', async () => {
    const { email } = await operatorWithPassword()
    const theirs = await enter(email)
    await admin.post(`/operators/${await idOf(email)}/disable`)
    expect((await theirs.get('/')).status).toBe(303)
    expect((await tryPassword(email, password)).status).toBe(403)
  })
})

const enter = async (email: string): Promise<SignedIn> => {
  const reply = await tryPassword(email, password)
  expect(reply.status).toBe(303)
  return signedIn(consoleOrigin, reply)
}

async function idOf(email: string): Promise<string> {
  let id = ''
  await withDatabase(product.store, async (db) => {
    const row = await db
      .selectFrom('operators')
      .select('id')
      .where('email', '=', email)
      .executeTakeFirstOrThrow()
    id = row.id
  })
  return id
}

describe('an operator who changes how they sign in', () => {
  beforeEach(async () => {
    now += 2 * hour
    admin = await signIn(await newLink())
  })

  test.each(['a password changed', 'a passkey removed'])(
    'ends their other sessions, open pages and pending links by it: %s',
    async (change) => {
      const { email } = await operatorWithPassword()
      const id = await idOf(email)
      const store = await openStore(product.store)
      const passkey = { kind: 'passkey', id: `passkey-of-${id}`, secret: 'key' } as const
      await addCredential(store.operators.db, passkey, { operatorId: id, at: now })
      await store.close()
      const [one, other] = [await enter(email), await enter(email)]
      const invited = await (await admin.post(`/operators/${id}/invite`, {})).text()
      const code = /invitation\?code=([\w-]+)/.exec(invited)?.[1] ?? ''
      const link = await newLink(email)
      const reply =
        change === 'a passkey removed'
          ? await one.post('/account/passkeys/remove', { id: passkey.id })
          : await one.post('/account/password', { password: 'quite another four words' })
      expect(await reply.text()).toContain('Your other sessions have ended')
      expect((await other.get('/api/changes')).status).toBe(401)
      expect((await other.get('/account')).headers.get('location')).toBe('/sign-in')
      expect((await one.get('/account')).status).toBe(200)
      expect((await fetch(link, { redirect: 'manual' })).status).toBe(403)
      expect((await fetch(`${consoleOrigin}/sign-in/invitation?code=${code}`)).status).toBe(403)
      const again = await one.post('/account/passkeys/remove', { id: 'none' })
      expect(again.status).toBe(422)
      expect(await again.text()).toContain('Nothing was removed')
    },
  )

  test('can sign in with the new password, even if somebody registered a passkey under their id', async () => {
    const { email } = await operatorWithPassword()
    const mallory = await operatorWithPassword()
    const id = await idOf(email)
    await withDatabase(product.store, async (db) => {
      const malloryId = await idOf(mallory.email)
      await db
        .updateTable('operator_credentials')
        .set({ kind: 'passkey', operator_id: malloryId })
        .where('id', '=', id)
        .execute()
    })
    const theirs = await signIn(await newLink(email))
    const chosen = 'quite another four words'
    const reply = await theirs.post('/account/password', { password: chosen })
    expect(await reply.text()).toContain('Password set.')
    expect((await tryPassword(email, chosen)).status).toBe(303)
  })
})

test('repeated confirmations are slowed before they fill the audit log', async () => {
  now += 2 * hour
  admin = await signIn(await newLink())
  const { email } = await operatorWithPassword('viewer')
  const theirs = await enter(email)
  let slowed = 0
  for (let i = 0; i < 110 && slowed === 0; i++) {
    const reply = await theirs.post('/confirm', { password })
    if (reply.status === 429) slowed = i
    else expect(reply.status).toBe(303)
  }
  expect(slowed).toBeGreaterThan(90)
  const refused = await theirs.post('/confirm', { password })
  expect(refused.headers.get('retry-after')).toBe('1')
  expect(await refused.text()).toContain('Nothing was done')
})

describe('an action that needs a recent sign-in', () => {
  beforeEach(async () => {
    admin = await signIn(await newLink())
  })

  /** Signs in an admin and moves the clock on, so that the sign-in is older than ten minutes. */
  async function staleAdmin() {
    const { email } = await operatorWithPassword('admin')
    const theirs = await enter(email)
    now += 10 * 60_000 + 1
    return { email, theirs }
  }

  test('is confirmed before its form is shown, and returns by a plain GET', async () => {
    const { theirs } = await staleAdmin()
    for (const path of ['/operators', '/account']) {
      const before = await (await theirs.get(path)).text()
      expect(before).not.toMatch(/action="\/(operators|account\/pass)/)
      expect(before).toMatch(/<form [^>]*action="\/confirm"/)
      expect(before).toContain(`name="to" value="${path}"`)
    }
    const request = '/confirm?to=%2Foperators'
    expect(await (await theirs.get(request)).text()).toContain('name="to" value="/operators"')
    const wrong = await theirs.post('/confirm', { password: 'another one', to: '/operators' })
    expect(wrong.status).toBe(403)
    expect(await wrong.text()).toContain('name="to" value="/operators"')
    const right = await theirs.post('/confirm', { password, to: '/operators' })
    expect([right.status, right.headers.get('location')]).toEqual([303, '/operators'])
    expect(await (await theirs.get('/operators')).text()).toContain('action="/operators"')
    const done = await theirs.post('/operators', { email: 'new+one@example.com', role: 'viewer' })
    expect(await done.text()).toContain('new+one@example.com')
  })

  test('is confirmed by a click in the demo, as long as its admin has no password', async () => {
    now += 10 * 60_000 + 1
    const asked = await (await admin.get('/confirm?to=%2Faccount')).text()
    expect(asked).toContain('needs no password')
    expect(asked).not.toContain('sign-in-link')
    const reply = await admin.post('/confirm', { to: '/account' })
    expect([reply.status, reply.headers.get('location')]).toEqual([303, '/account'])
    expect(await (await admin.get('/account')).text()).toContain('action="/account/password"')

    const { theirs } = await staleAdmin()
    expect((await theirs.post('/confirm', { to: '/account' })).status, 'another admin').toBe(403)
    await admin.post('/confirm', { to: '/account' })
    await admin.post('/account/password', { password })
    now += 10 * 60_000 + 1
    expect((await admin.post('/confirm', { to: '/account' })).status, 'with a password').toBe(403)
    await withDatabase(product.store, async (db) => {
      const { id = '' } = (await findAccountByEmail(db, 'demo@example.com')) ?? {}
      await db.deleteFrom('operator_credentials').where('operator_id', '=', id).execute()
    })
  })

  test('is not done, and asks to confirm, after the form was open for too long', async () => {
    const { theirs } = await staleAdmin()
    const form = new URLSearchParams(theirs.form({ email: 'stale@example.com', role: 'viewer' }))
    const reply = await fetch(`${consoleOrigin}/operators`, {
      method: 'POST',
      headers: {
        ...theirs.headers,
        origin: consoleOrigin,
        referer: `${consoleOrigin}/operators?page=x`,
      },
      body: form,
      redirect: 'manual',
    })
    expect(reply.status).toBe(303)
    expect(reply.headers.get('location')).toBe(
      '/confirm?for=manage+operators&to=%2Foperators%3Fpage%3Dx',
    )
    expect(await (await theirs.get(reply.headers.get('location') ?? '')).text()).toContain(
      'To manage operators, confirm it’s you',
    )
    await theirs.post('/confirm', { password, to: '/operators' })
    expect(await (await theirs.get('/operators')).text()).not.toContain('stale@example.com')
  })

  test('returns to the requested page', async () => {
    const { theirs } = await staleAdmin()
    const path = '/leads/019bc0de-0000-7000-8000-000000000001/erase'
    const asked = await theirs.get(path)
    const location = asked.headers.get('location') ?? ''
    expect(new URL(location, consoleOrigin).searchParams.get('to')).toBe(path)
  })

  test.each(['https://example.com/', '//example.com', '/\\example.com', 'javascript:alert(1)'])(
    'never returns to another site: %s',
    async (to) => {
      const { theirs } = await staleAdmin()
      expect(await (await theirs.get(`/confirm?${new URLSearchParams({ to })}`)).text()).toContain(
        'name="to" value="/"',
      )
      expect((await theirs.post('/confirm', { password, to })).headers.get('location')).toBe('/')
    },
  )

  test('is refused to roles that may not do it', async () => {
    for (const role of ['viewer', 'operator']) {
      const { email } = await operatorWithPassword(role)
      const theirs = await enter(email)
      const reply = await theirs.post('/operators', { email: 'x@example.com', role: 'admin' })
      expect(reply.status, role).toBe(403)
      expect((await theirs.get('/operators')).status, role).toBe(403)
      expect((await theirs.get('/audit')).status, role).toBe(role === 'viewer' ? 403 : 200)
    }
    expect(await (await admin.get('/operators')).text()).not.toContain('x@example.com')
  })

  test('operators cannot change their own role', async () => {
    const id = await idOf('demo@example.com')
    const reply = await admin.post(`/operators/${id}/role`, { role: 'viewer' })
    expect(await reply.text()).toContain('ask another admin')
    expect((await admin.get('/operators')).status).toBe(200)
  })
})

test('the audit log names actions and operators, and no email address', async () => {
  const page = await (await admin.get('/audit')).text()
  expect(page).toContain('added an operator')
  expect(page).toContain('demo@example.com')
  await withDatabase(product.store, async (db) => {
    const acts = await db.selectFrom('audit').selectAll().execute()
    expect(acts.length).toBeGreaterThan(5)
    expect(JSON.stringify(acts)).not.toContain('@')
  })
})

test('expired rows are deleted, and others stay', async () => {
  const { email } = await operatorWithPassword()
  await tryPassword(email, 'wrong and wrong again')
  await enter(email)
  const store = await openStore(product.store)
  const count = async () => {
    let found: number[] = []
    await withDatabase(product.store, async (db) => {
      const tables = ['sign_in_failures', 'operator_links', 'operator_sessions'] as const
      found = await Promise.all(
        tables.map(async (table) => (await db.selectFrom(table).selectAll().execute()).length),
      )
    })
    return found
  }
  await invite('somebody@example.com')
  await deleteExpiredRows(store.operators.db, now)
  const [failures = 0, links = 0, sessions = 0] = await count()
  expect(Math.min(failures, links, sessions)).toBeGreaterThan(0)
  await deleteExpiredRows(store.operators.db, now + 25 * hour)
  expect(await count()).toEqual([0, 0, 0])
  await store.close()
})

test('the database refuses to change the audit log', async () => {
  await withDatabase(product.store, async (db) => {
    await expect(db.deleteFrom('audit').execute()).rejects.toThrow('append-only')
    await expect(db.updateTable('audit').set({ at: 0 }).execute()).rejects.toThrow('append-only')
    await expect(db.deleteFrom('audit_outcomes').execute()).rejects.toThrow('append-only')
  })
})
