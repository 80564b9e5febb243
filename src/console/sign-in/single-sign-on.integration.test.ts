import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { makeSecret } from '#server/operators/secrets.ts'
import { openConsole, type SignedIn, signedIn, signIn } from '#tests/console/console-visitor.ts'
import { freePort } from '#tests/product/free-port.ts'
import { type InProcessProduct, startInProcess } from '#tests/product/start-in-process.ts'
import { type CookieBrowser, cookieBrowser } from '#tests/sign-on/cookie-browser.ts'
import { startLiar } from '#tests/sign-on/start-liar.ts'
import {
  client,
  type Person,
  type RunningProvider,
  signOnSettings,
  startProvider,
} from '#tests/sign-on/start-provider.ts'
import { withDatabase } from '#tests/store/with-database.ts'

let product: InProcessProduct
let provider: RunningProvider
let consoleOrigin: string
let admin: SignedIn
let ahead = 0
let people = 0

beforeAll(async () => {
  const port = await freePort()
  product = await startInProcess(signOnSettings(port), undefined, () => Date.now() + ahead)
  consoleOrigin = openConsole(product)
  admin = await signIn(product.consoleLink)
  // The provider was unreachable when the console started, and the console retries only on request.
  const first = await fetch(`${consoleOrigin}/sign-in/oidc`, { redirect: 'manual' })
  expect(first.status).toBe(503)
  expect(await first.text()).toContain('Single sign-on can’t be reached at the moment')
  provider = await startProvider(port, consoleOrigin)
})
afterAll(async () => {
  await provider.stop()
  await product.stop()
})

const newPerson = (more: Record<string, unknown> = {}): Person => {
  const email = `person${people++}@example.edu`
  return { sub: makeSecret(), email, email_verified: true, roles: ['operator'], ...more }
}

/** Follows redirects until the provider sends the browser back to the console. */
const toCallback = (browser: CookieBrowser, from = '/sign-in/oidc') =>
  browser.follow(consoleOrigin + from, `${consoleOrigin}/sign-in/oidc/callback`)

async function come(person: Person, browser = cookieBrowser()): Promise<Response> {
  provider.seat(person)
  return browser.ask(await toCallback(browser))
}

/** Signs a person in through the provider and returns their signed-in client. */
const signInThroughProvider = async (person: Person) => signedIn(consoleOrigin, await come(person))

const leadsTo = (reply: Response) => new URL(reply.headers.get('location') ?? '')

const headingOf = async (reply: Response) =>
  /id="message-heading">([^<]*)/.exec(await reply.text())?.[1]

async function acts(): Promise<readonly string[]> {
  let found: string[] = []
  await withDatabase(product.store, async (db) => {
    const rows = await db.selectFrom('audit').select(['action', 'reason']).orderBy('id').execute()
    found = rows.map(({ action, reason }) => [action, reason].filter(Boolean).join(': '))
  })
  return found
}

async function operatorOf({ email }: Person) {
  const page = await (await admin.get('/operators')).text()
  const row = page.split('<tr').find((text) => text.includes(`>${String(email)}<`)) ?? ''
  return { row, id: /operators\/([\w-]+)\//.exec(row)?.[1] ?? '' }
}

describe('a person at the provider', () => {
  test('becomes an operator with the claim’s role, and reaches the requested page', async () => {
    const browser = cookieBrowser()
    await browser.ask(`${consoleOrigin}/leads?status=dead`)
    const person = newPerson()
    const reply = await come(person, browser)
    expect(reply.headers.get('location')).toBe('/leads?status=dead')
    const account = await (await browser.ask(`${consoleOrigin}/account`)).text()
    expect(account).toContain('operator.')
    expect((await browser.ask(`${consoleOrigin}/operators`)).status).toBe(403)
    expect((await acts()).slice(-3)).toEqual([
      'added an operator: as operator, by single sign-on',
      'linked single sign-on',
      'signed in: by single sign-on',
    ])
    expect((await operatorOf(person)).row).toContain('single sign-on')
  })

  test('stays the same operator with another address, and another person with the address is refused', async () => {
    const person = newPerson()
    await signInThroughProvider(person)
    const moved = await signInThroughProvider({ ...person, email: 'moved@example.edu' })
    expect(await (await moved.get('/account')).text()).toContain(String(person.email))
    const nextOwner = await come({ ...person, sub: makeSecret() })
    expect(nextOwner.status).toBe(403)
    expect(await headingOf(nextOwner)).toBe('Your email address belongs to another operator here')
  })

  test('gets the claim’s role at each sign-in', async () => {
    const person = newPerson({ roles: ['viewer'] })
    const before = await signInThroughProvider(person)
    expect((await before.get('/audit')).status).toBe(403)
    await signInThroughProvider({ ...person, roles: ['viewer', 'operator'] })
    expect((await before.get('/audit')).status).toBe(200)
    expect(await acts()).toContain('changed a role: to operator, by single sign-on')
  })

  test('without a role reads who can give one, and is signed out everywhere after losing it', async () => {
    const nobody = await come(newPerson({ roles: ['payroll'] }))
    expect(nobody.status).toBe(403)
    const page = await nobody.text()
    expect(page).toContain('You have no role on this console')
    expect(page).toContain('viewer, operator, admin')
    expect(page).toContain('href="/sign-in/oidc?login=another"')
    const person = newPerson()
    const theirs = await signInThroughProvider(person)
    expect(await headingOf(await come({ ...person, roles: [] }))).toBe(
      'You have no role on this console',
    )
    expect((await theirs.get('/')).status).toBe(303)
    expect((await acts()).at(-1)).toBe('was refused: no role, by single sign-on')
  })

  test('cannot sign in while disabled here', async () => {
    const person = newPerson()
    await signInThroughProvider(person)
    const { id } = await operatorOf(person)
    await admin.post(`/operators/${id}/disable`)
    expect(await headingOf(await come(person))).toBe('Your account is disabled')
    expect((await acts()).at(-1)).toBe('was refused: disabled, by single sign-on')
    const again = await come({ ...person, sub: makeSecret() })
    expect(await headingOf(again)).toBe('Your account is disabled')
  })
})

describe('an invited operator', () => {
  const invite = async (person: Person) =>
    admin.post('/operators', { email: String(person.email), role: 'viewer' })

  test('is linked if the provider has verified the address, and gets the claim’s role', async () => {
    const person = newPerson()
    await invite(person)
    await signInThroughProvider(person)
    const { row } = await operatorOf(person)
    expect(row).toContain('single sign-on')
    expect(row).toMatch(/selected=""[^>]*>operator/)
    expect((await acts()).slice(-3)).toEqual([
      'linked single sign-on',
      'changed a role: to operator, by single sign-on',
      'signed in: by single sign-on',
    ])
  })

  test.each([
    ['false', false],
    ['left out', undefined],
    ['something else', 'yes'],
  ])('is not linked if the verified claim is %s', async (_, email_verified) => {
    const person = newPerson({ email_verified, roles: ['admin'] })
    await invite(person)
    expect(await headingOf(await come(person))).toBe('Your email address is not verified')
    expect((await operatorOf(person)).row).not.toContain('single sign-on')
  })
})

describe('the provider’s answer', () => {
  const stale = 'That sign-in has expired'

  test('is accepted once', async () => {
    const browser = cookieBrowser()
    provider.seat(newPerson())
    const callback = await toCallback(browser)
    const before = new Map(browser.cookies(new URL(consoleOrigin).host))
    expect((await browser.ask(callback)).status).toBe(303)
    // Reloading the callback keeps the operator signed in; replaying it with the cookies from before the sign-in does
    // not.
    expect((await browser.ask(callback)).headers.get('location')).toBe('/')
    const other = cookieBrowser()
    for (const [name, value] of before) other.setCookie(new URL(consoleOrigin).host, name, value)
    const replayed = await other.ask(callback)
    expect(replayed.status).toBe(403)
    expect(await replayed.text()).toContain('invalid_grant')
  })

  test('to another browser is refused', async () => {
    const theirs = cookieBrowser()
    provider.seat(newPerson())
    const callback = await toCallback(theirs)
    const victim = cookieBrowser()
    await victim.ask(`${consoleOrigin}/sign-in`)
    expect(await headingOf(await victim.ask(callback))).toBe(stale)
    // The stolen callback also fails if the victim has started a sign-in of their own.
    await victim.ask(`${consoleOrigin}/sign-in/oidc`)
    expect(await headingOf(await victim.ask(callback))).toBe(stale)
  })

  test('with another browser’s code is refused, since the verifier differs', async () => {
    provider.seat(newPerson())
    const [theirs, own] = [cookieBrowser(), cookieBrowser()]
    const stolen = new URL(await toCallback(theirs)).searchParams.get('code') ?? ''
    const callback = new URL(await toCallback(own))
    callback.searchParams.set('code', stolen)
    const reply = await own.ask(callback)
    expect(reply.status).toBe(403)
    expect(await reply.text()).toContain('invalid_grant')
  })

  test.each([
    ['another state', (url: URL) => url.searchParams.set('state', makeSecret()), stale],
    ['no state', (url: URL) => url.searchParams.delete('state'), stale],
    [
      'another issuer',
      (url: URL) => url.searchParams.set('iss', 'https://login.example.net'),
      'Single sign-on did not sign you in',
    ],
    [
      'no issuer, of a provider that says that it names itself',
      (url: URL) => url.searchParams.delete('iss'),
      'Single sign-on did not sign you in',
    ],
  ])('with %s is refused', async (_, change, heading) => {
    const browser = cookieBrowser()
    provider.seat(newPerson())
    const callback = new URL(await toCallback(browser))
    change(callback)
    const reply = await browser.ask(callback)
    expect(reply.status).toBe(403)
    expect(await headingOf(reply)).toBe(heading)
    expect((await browser.ask(consoleOrigin)).headers.get('location')).toBe('/sign-in')
  })

  test('after more than ten minutes is refused', async () => {
    const browser = cookieBrowser()
    provider.seat(newPerson())
    const callback = await toCallback(browser)
    ahead += 10 * 60_000 + 1
    expect(await headingOf(await browser.ask(callback))).toBe(stale)
    ahead -= 10 * 60_000 + 1
  })

  test('leads to no other site', async () => {
    const browser = cookieBrowser()
    provider.seat(newPerson())
    const callback = await toCallback(browser)
    browser.setCookie(
      new URL(consoleOrigin).host,
      'console-wanted',
      encodeURIComponent('//evil.example'),
    )
    expect((await browser.ask(callback)).headers.get('location')).toBe('/')
  })

  test('that is a refusal is explained, without its markup', async () => {
    const browser = cookieBrowser()
    const asked = leadsTo(await browser.ask(`${consoleOrigin}/sign-in/oidc`))
    const state = asked.searchParams.get('state') ?? ''
    const says = new URLSearchParams({ error: '<b>no</b>', state, iss: provider.issuer })
    const page = await (await browser.ask(`${consoleOrigin}/sign-in/oidc/callback?${says}`)).text()
    expect(page).toContain('Single sign-on did not sign you in')
    expect(page).not.toMatch(/<b>|&lt;b&gt;/)
  })
})

describe('an action that needs a recent sign-in', () => {
  test('can be confirmed by another sign-in at the provider', async () => {
    const browser = cookieBrowser()
    await come(newPerson({ roles: ['admin'] }), browser)
    const theirs = await actingAs(browser)
    const pageAt = async (path: string) => (await browser.ask(consoleOrigin + path)).text()
    // The provider does not say when the person signed in, so the sign-in does not count as recent.
    const asked = await theirs.invite('first@example.edu')
    const path = asked.headers.get('location') ?? ''
    const link = /href="([^"]+)"[^>]*>Confirm with single sign-on/.exec(await pageAt(path))?.[1]
    const out = link?.replaceAll('&amp;', '&') ?? ''
    const address = leadsTo(await browser.ask(consoleOrigin + out))
    expect(Object.fromEntries(address.searchParams)).toMatchObject({
      prompt: 'login',
      max_age: '0',
    })
    const callback = await browser.follow(address, `${consoleOrigin}/sign-in/oidc/callback`)
    expect((await browser.ask(callback)).headers.get('location')).toBe('/operators')
    expect(await pageAt('/operators')).not.toContain('first@example.edu')
    const again = await actingAs(browser)
    expect(await (await again.invite('first@example.edu')).text()).toContain('first@example.edu')
    expect((await theirs.invite('second@example.edu')).status).toBe(403)
  })

  test('is not confirmed by another person, who signs in with their own role', async () => {
    const browser = cookieBrowser()
    await come(newPerson({ roles: ['admin'] }), browser)
    browser.forget(new URL(provider.issuer).host)
    provider.seat(newPerson({ roles: ['viewer'] }))
    await browser.ask(await toCallback(browser, again))
    const theirs = await actingAs(browser)
    expect((await theirs.invite('third@example.edu')).status).toBe(403)
  })

  test('is not confirmed by an old sign-in at the provider', async () => {
    const browser = cookieBrowser()
    await come(newPerson({ roles: ['admin'] }), browser)
    const address = leadsTo(await browser.ask(consoleOrigin + again))
    // The browser's owner can change the address so that the provider doesn't ask them. The provider's response is
    // honest about it.
    address.searchParams.delete('prompt')
    address.searchParams.set('max_age', '3600')
    ahead += 40_000
    const fresh = leadsTo(await browser.ask(consoleOrigin + again))
    for (const name of ['state', 'nonce', 'code_challenge']) {
      address.searchParams.set(name, fresh.searchParams.get(name) ?? '')
    }
    const callback = await browser.follow(address, `${consoleOrigin}/sign-in/oidc/callback`)
    expect(await headingOf(await browser.ask(callback))).toBe('That didn’t confirm it’s you')
    ahead -= 40_000
  })

  const again = '/sign-in/oidc?login=again&to=%2Foperators'

  async function actingAs(browser: CookieBrowser) {
    const page = await (await browser.ask(`${consoleOrigin}/operators`)).text()
    const token = /name="token" value="([^"]+)"/.exec(page)?.[1] ?? ''
    const post = (path: string, fields: Readonly<Record<string, string>>) =>
      browser.ask(consoleOrigin + path, {
        method: 'POST',
        headers: { origin: consoleOrigin, referer: `${consoleOrigin}/operators` },
        body: new URLSearchParams({ token, ...fields }),
      })
    return { post, invite: (email: string) => post('/operators', { email, role: 'viewer' }) }
  }
})

test('after a sign-out the provider asks again who it is', async () => {
  const browser = cookieBrowser()
  await come(newPerson(), browser)
  const page = await (await browser.ask(consoleOrigin)).text()
  const token = /name="token" value="([^"]+)"/.exec(page)?.[1] ?? ''
  await browser.ask(`${consoleOrigin}/sign-out`, {
    method: 'POST',
    headers: { origin: consoleOrigin },
    body: new URLSearchParams({ token }),
  })
  const address = leadsTo(await browser.ask(`${consoleOrigin}/sign-in/oidc`))
  expect(address.searchParams.get('prompt')).toBe('login')
  await browser.ask(await browser.follow(address, `${consoleOrigin}/sign-in/oidc/callback`))
  const next = leadsTo(await browser.ask(`${consoleOrigin}/sign-in/oidc`))
  expect(next.searchParams.has('prompt')).toBe(false)
})

test('another account signs in at a provider that doesn’t say when', async () => {
  const browser = cookieBrowser()
  provider.seat(newPerson())
  const address = leadsTo(await browser.ask(`${consoleOrigin}/sign-in/oidc?login=another`))
  expect(address.searchParams.get('prompt')).toBe('login')
  // Without a maximum age, this provider leaves out when the person signed in.
  address.searchParams.delete('max_age')
  address.searchParams.delete('prompt')
  const callback = await browser.follow(address, `${consoleOrigin}/sign-in/oidc/callback`)
  expect((await browser.ask(callback)).headers.get('location')).toBe('/')
})

test('the log contains no secret, code, token or person', () => {
  const log = product.logLines.join('\n')
  expect(log).toContain('single sign-on')
  for (const secret of [
    client.secret,
    encodeURIComponent(client.secret),
    'code=',
    'eyJ',
    '@example',
  ]) {
    expect(log).not.toContain(secret)
  }
})

test('the page says how the provider calls itself if CONSOLE_OIDC_ISSUER differs', async () => {
  const liar = await startLiar()
  onTestFinished(liar.stop)
  const issuer = `${liar.issuer}/o/staff/`
  liar.say({ discovery: { issuer } }, '')
  const settings = { ...signOnSettings(0), CONSOLE_OIDC_ISSUER: `${liar.issuer}/o/staff` }
  const other = await startInProcess(settings)
  onTestFinished(other.stop)
  const reply = await fetch(`${openConsole(other)}/sign-in/oidc`, { redirect: 'manual' })
  expect(reply.status).toBe(503)
  expect(await reply.text()).toContain(
    `The provider calls itself ${issuer}; set CONSOLE_OIDC_ISSUER to that.`,
  )
})
