import { type Browser, expect, type Page } from '@playwright/test'
import { lookAtState } from '#tests/accessibility/look.ts'
import { freePort } from '#tests/product/free-port.ts'
import { type RunningProduct, startProcess } from '#tests/product/start-process.ts'
import { signOnSettings, startProvider } from '#tests/sign-on/start-provider.ts'
import { withDatabase } from '#tests/store/with-database.ts'
import manifest from '../../package.json' with { type: 'json' }
import { test as base } from './pictured-test.ts'

const password = 'four words nobody says'

const test = base.extend<{ own: RunningProduct }>({
  // biome-ignore lint/correctness/noEmptyPattern: the runner reads the pattern's names
  own: async ({}, use) => {
    const own = await startProcess()
    await use(own)
    await own.stop()
  },
})

const heading = (page: Page) => page.getByRole('heading', { level: 1 })

/** Invites somebody as the admin, and resolves with the link. */
async function invite(page: Page, email: string, role: string): Promise<string> {
  await page.getByText('More', { exact: true }).click()
  await page.getByRole('link', { name: 'Operators', exact: true }).click()
  await page.getByLabel('Email', { exact: true }).fill(email)
  await page.getByLabel('Role', { exact: true }).selectOption(role)
  await page.getByRole('button', { name: 'Create invitation' }).click()
  return page.getByLabel('Link', { exact: true }).inputValue()
}

/** Expects that on a phone the menu *More* drops down over the page, and that each of its links is easy to tap. */
async function expectMenuOverPage(page: Page) {
  const before = await heading(page).boundingBox()
  const more = page.getByText('More', { exact: true })
  await more.click()
  const links = page.locator('details').filter({ has: more }).getByRole('link')
  expect(await links.count()).toBeGreaterThan(5)
  for (const link of await links.all()) {
    await expect(link).toBeInViewport({ ratio: 1 })
    const { width = 0, height = 0 } = (await link.boundingBox()) ?? {}
    expect([width, height >= 44]).toEqual([360, true])
  }
  expect(await heading(page).boundingBox()).toEqual(before)
  await more.click()
}

/** Where the text of a link starts, which differs from the top of the link's box. */
const textTop = (page: Page, name: string) =>
  page.getByRole('link', { name, exact: true }).evaluate((link) => {
    const text = document.createRange()
    text.selectNodeContents(link)
    return text.getBoundingClientRect().top
  })

/** Headings have the font of the text at every width, because only the site loads the display font. */
const expectPlainHeading = async (page: Page) =>
  expect(
    await page.evaluate(() =>
      ['h1', 'body'].map((name) => getComputedStyle(document.querySelector(name) as Element).font),
    ),
  ).toEqual([expect.stringMatching(/Segoe UI/), expect.stringMatching(/Segoe UI/)])

const countViewTransitions = () =>
  [...document.styleSheets].flatMap(({ cssRules }) =>
    [...cssRules].filter(({ cssText }) => cssText.includes('@view-transition')),
  ).length

/** Expects a shadow at each edge of the phone's navigation where the row of links goes on, and only there. */
async function expectCues(page: Page) {
  const row = page.getByRole('navigation').locator('..')
  await page.evaluate(() => scrollTo(0, 0))
  const scrollRow = (left: number) => row.evaluate((it, to) => it.scroll({ left: to }), left)
  const { x, y, width } = (await row.boundingBox()) ?? { x: 0, y: 0, width: 0 }
  const pixelsAt = (left: number) =>
    page.screenshot({ clip: { x: left, y: y + 1, width: 2, height: 4 } })
  const cues = async () => {
    const plain = await pixelsAt(x + width / 2)
    const edges = [await pixelsAt(x), await pixelsAt(x + width - 2)]
    return edges.map((edge) => !edge.equals(plain))
  }
  await scrollRow(0)
  expect(await cues()).toEqual([false, true])
  await scrollRow(60)
  expect(await cues()).toEqual([true, true])
  await scrollRow(9999)
  expect(await cues()).toEqual([true, false])
}

async function lookAt(page: Page, name: string) {
  await expect(heading(page)).toHaveText(name)
  await lookAtState(page, name)
}

/**
 * Simulates WebKit, which shows a page from memory after Back. This browser keeps no page that the server marks as not
 * to be stored.
 */
const comeBackFromMemory = (page: Page) =>
  page.evaluate(() => dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })))

test('an admin signs in by the start link and invites an operator, who sets a password', async ({
  page,
  browser,
  own,
}) => {
  await page.goto(own.consoleLink)
  await lookAt(page, 'Overview')
  expect(await textTop(page, 'demo@example.com'), 'on the line of the header').toBe(
    await textTop(page, 'Overview'),
  )
  const link = await invite(page, 'ada@example.edu', 'operator')
  await lookAt(page, 'Operators')
  await expect(page.getByText('is not shown again')).toBeVisible()
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.getByLabel('Link', { exact: true }).focus()
  await page.keyboard.press('Tab')
  await expect(page.getByRole('button', { name: 'Copy' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('status')).toHaveText('Copied')
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(link)
  await page.evaluate(() => {
    navigator.clipboard.writeText = () => Promise.reject(new Error('forbidden'))
  })
  await page.getByRole('button', { name: 'Copy' }).click()
  await expect(page.getByRole('status')).toContainText('Ctrl+C')
  expect(await page.evaluate(() => getSelection()?.toString())).toBe(link)
  await page.getByLabel('Email', { exact: true }).fill('twice@example.edu')
  await page.getByLabel('Role', { exact: true }).selectOption('viewer')
  await page.getByRole('button', { name: 'Create invitation' }).dblclick()
  await expect(
    page.getByLabel('Link', { exact: true }),
    'the first press is answered',
  ).toBeVisible()
  await page.getByText('More', { exact: true }).click()
  await page.getByRole('link', { name: 'Audit' }).click()
  await expect(page.getByRole('table', { name: 'Audit' })).toContainText('added an operator')
  await expect(heading(page)).toHaveText('Audit')
  // On a phone an entry has no more lines than facts.
  await page.setViewportSize({ width: 360, height: 740 })
  await page.reload()
  await expect(page.getByRole('link', { name: 'Audit' })).toBeInViewport({ ratio: 1 })
  await lookAtState(page, 'Audit on a phone')
  await expectPlainHeading(page)
  await expectCues(page)
  await expectMenuOverPage(page)
  const act = page.getByRole('row', { name: /added an operator/ }).last()
  expect((await act.boundingBox())?.height).toBeLessThan(140)
  await page.setViewportSize({ width: 1280, height: 720 })
  // Text that is typed there by mistake does not appear in the URL.
  await expectPlainHeading(page)
  expect(await page.evaluate(countViewTransitions), 'tables would blur').toBe(0)
  await expect(page.getByRole('contentinfo')).toContainText(manifest.version)
  await page.getByLabel('Target (an id)').fill('(941) 555-0100')
  await page.getByRole('button', { name: 'Apply' }).click()
  await expect(page.locator('input:invalid')).toHaveValue('(941) 555-0100')
  await expect(page).toHaveURL(/\/audit$/)

  for (const width of [360, 1280]) {
    await page.setViewportSize({ width, height: 740 })
    await page.goto(new URL('/docs/storage.md#return-to-sqlite', page.url()).href)
    await expect(page.getByRole('heading', { name: 'Return to SQLite' })).toBeInViewport()
    await page.evaluate(() => window.scrollTo(0, 0))
    if (width === 360) await lookAtState(page, 'a document on a phone')
  }
  await page.goto(new URL('/leads/nobody', page.url()).href)
  await page.getByRole('link', { name: 'Back to Leads' }).click()
  await expect(heading(page)).toHaveText('Leads')

  const operatorPage = await (await browser.newContext()).newPage()
  await operatorPage.goto(link)
  await expect(heading(operatorPage)).toHaveText('Your invitation')
  await operatorPage.getByLabel('Password', { exact: true }).fill('short')
  await operatorPage.getByRole('button', { name: 'Set password and sign in' }).click()
  await expect(
    operatorPage.getByRole('link', { name: 'Choose 12 characters or more' }),
  ).toBeVisible()
  await operatorPage.getByLabel('Password', { exact: true }).fill(password)
  await operatorPage.getByRole('button', { name: 'Set password and sign in' }).click()
  await expect(heading(operatorPage)).toHaveText('Overview')
  await operatorPage.getByText('More', { exact: true }).click()
  await expect(operatorPage.getByRole('link', { name: 'Audit' })).toBeVisible()
  await expect(operatorPage.getByRole('link', { name: 'Operators', exact: true })).toHaveCount(0)
  await operatorPage.setViewportSize({ width: 320, height: 568 })
  const account = operatorPage.getByRole('link', { name: 'ada@example.edu' })
  expect(await account.evaluate((link) => link.scrollWidth - link.clientWidth), 'cut off').toBe(0)
  await operatorPage.setViewportSize({ width: 1280, height: 720 })

  await operatorPage.getByRole('link', { name: 'ada@example.edu' }).click()
  await expect(heading(operatorPage)).toHaveText('Your account')
  await operatorPage.getByRole('button', { name: 'Sign out' }).click()
  await expect(heading(operatorPage)).toHaveText('Sign in')

  await operatorPage.getByLabel('Email').fill('ada@example.edu')
  await operatorPage.getByLabel('Password', { exact: true }).fill('wrong and wrong again')
  // On a phone, too, the message is visible and focused, and the title mentions it.
  await operatorPage.setViewportSize({ width: 320, height: 568 })
  await operatorPage.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(operatorPage).toHaveTitle(/^Error: Sign in/)
  const message = operatorPage.getByRole('group', { name: 'Wrong email address or password' })
  await expect(message).toBeFocused()
  await expect(message).toBeInViewport()
  await lookAtState(operatorPage, 'Sign in, refused')
  await expect(operatorPage.getByLabel('Email', { exact: true })).toHaveValue('ada@example.edu')
  await message.getByRole('link', { name: 'Enter your password again' }).click()
  await expect(operatorPage.getByLabel('Password', { exact: true })).toBeFocused()
  await operatorPage.setViewportSize({ width: 1280, height: 720 })
  await operatorPage.getByLabel('Password', { exact: true }).fill(password)
  await operatorPage.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(heading(operatorPage)).toHaveText('Overview')

  await comeBackFromMemory(operatorPage)
  await expect(heading(operatorPage)).toHaveText('Overview')
  const other = await operatorPage.context().newPage()
  await other.goto(operatorPage.url())
  await other.getByRole('button', { name: 'Sign out' }).click()
  await expect(heading(other)).toHaveText('Sign in')
  await comeBackFromMemory(operatorPage)
  await expect(heading(operatorPage)).toHaveText('Sign in')

  // The page was opened before somebody else signed in in the same browser.
  await operatorPage.getByLabel('Email').fill('ada@example.edu')
  await operatorPage.getByLabel('Password', { exact: true }).fill(password)
  await other.context().clearCookies()
  await other.reload()
  await operatorPage.getByRole('button', { name: 'Sign in', exact: true }).click()
  await lookAt(operatorPage, 'Nothing was done')
})

test('an operator adds a passkey and signs in with it', async ({ browser }) => {
  // Passkeys need a host name, because browsers do not offer them for an IP address.
  const port = String(await freePort())
  const own = await startProcess({ CONSOLE_PORT: port, CONSOLE_ORIGIN: `http://localhost:${port}` })
  try {
    const page = await openWithKeys(browser)
    await page.goto(own.consoleLink)
    await page.goto(`http://localhost:${port}/account`)
    await page.getByRole('button', { name: 'Add a passkey' }).click()
    await expect(page.getByText('Passkey added.')).toBeVisible()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await expect(heading(page)).toHaveText('Overview')
  } finally {
    await own.stop()
  }
})

test('an operator signs in with single sign-on, which explains a missing role', async ({
  browser,
}) => {
  const [port, providers] = [await freePort(), await freePort()]
  const desk = `http://127.0.0.1:${port}`
  const own = await startProcess({
    CONSOLE_PORT: String(port),
    ...signOnSettings(providers),
    CONSOLE_OIDC_NAME: 'Example Login',
  })
  const provider = await startProvider(providers, desk)
  try {
    const page = await (await browser.newContext()).newPage()
    const button = page.getByRole('link', { name: 'Sign in with Example Login' })
    const person = { sub: 'ada', email: 'ada@example.edu', email_verified: true, roles: ['admin'] }
    await page.goto(`${desk}/leads`)
    await expect(heading(page)).toHaveText('Sign in')
    provider.seat({ ...person, roles: [] })
    await button.click()
    await expect(
      page.getByRole('group', { name: 'You have no role on this console' }),
    ).toBeFocused()
    await lookAt(page, 'Sign in')
    provider.seat(person)
    await button.click()
    await expect(heading(page)).toHaveText('Leads')
    await page.goto(`${desk}/confirm`)
    await expect(heading(page)).toHaveText('Confirm it’s you')
    await page.getByRole('link', { name: 'Confirm with Example Login' }).click()
    await expect(heading(page)).toHaveText('Overview')
  } finally {
    await provider.stop()
    await own.stop()
  }
})

/** Opens a browser with an authenticator that always confirms. */
async function openWithKeys(browser: Browser): Promise<Page> {
  const page = await (await browser.newContext()).newPage()
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return page
}

test('without JavaScript, an operator signs in, authenticates again, invites somebody and signs out', async ({
  browser,
  own,
}) => {
  const page = await (await browser.newContext({ javaScriptEnabled: false })).newPage()
  await page.goto(own.consoleLink)
  await expect(page.getByText('time zone, America/New_York')).toBeVisible()
  await page.getByRole('link', { name: 'demo@example.com' }).click()
  await page.getByRole('textbox', { name: 'New password' }).fill(password)
  await page.getByRole('button', { name: 'Set password' }).click()
  await withDatabase({ dataDir: own.dataDir }, (db) =>
    db
      .updateTable('operator_sessions')
      .set({ strong_at: Date.now() - 11 * 60_000 })
      .execute(),
  )
  await page.getByText('More', { exact: true }).click()
  await page.getByRole('link', { name: 'Audit' }).click()
  await page.getByRole('button', { name: 'Export' }).click()
  await expect(heading(page)).toHaveText('Confirm it’s you')
  await page.goto(new URL('/operators', page.url()).href)
  await expect(page.getByLabel('Email', { exact: true })).toHaveCount(0)
  await expect(heading(page)).toHaveText('Operators')
  await page.getByRole('button', { name: 'Confirm it’s you' }).click()
  await page.getByLabel('Password', { exact: true }).fill('another one, wrong')
  await page.getByRole('button', { name: 'Confirm', exact: true }).click()
  await expect(page.getByRole('group', { name: 'Wrong password' })).toBeVisible()
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Confirm', exact: true }).click()
  await expect(heading(page)).toHaveText('Operators')

  const link = await invite(page, 'bo@example.edu', 'viewer')
  await expect(page.getByRole('button', { name: 'Copy' })).toHaveCount(0)
  await page.getByRole('button', { name: 'Sign out' }).click()
  await expect(heading(page)).toHaveText('Sign in')
  await page.goto(link)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Set password and sign in' }).click()
  await expect(heading(page)).toHaveText('Overview')
})
