import { expect, type Locator, type Page } from '@playwright/test'
import { arrivals } from '#tests/product/sandbox-ledger.ts'
import { storedLeads } from '#tests/product/stored-leads.ts'
import { ada } from './ada.ts'
import { comeBackTo } from './come-back-to.ts'
import { expectAttention } from './expect-attention.ts'
import { expectError } from './expect-error.ts'
import {
  back,
  expectStep,
  expectThanks,
  field,
  fillAddress,
  fillProgram,
  fillYourEducation,
  finishFromEducation,
  next,
  send,
} from './fill-steps.ts'
import { listenIn } from './listen-in.ts'
import { toast, twin } from './toast.ts'
import { test } from './visit.ts'

const toAddress = (page: Page, email: string) => comeBackTo(page, 2, '/business', { ...ada, email })

const live = (page: Page) => page.locator('[role=alert], [role=status], [aria-live]')

for (const { trouble, typed, label, message } of [
  {
    trouble: 'a ZIP that does not exist',
    typed: { ...ada, zip: '00000' },
    label: 'ZIP code',
    message: 'Invalid zip code: please enter another value.',
  },
  {
    trouble: 'a street without a number',
    typed: { ...ada, address: 'Palm Avenue' },
    label: 'Street address',
    message: 'Invalid address: enter street address only.',
  },
]) {
  test(`${trouble}: field and toast show the error`, async ({ page, email }) => {
    await page.clock.install()
    await toAddress(page, email)
    await fillAddress(page, typed)
    await next(page)

    await expectError(field(page, label), message)
    await expectAttention(page, field(page, label))
    await expect(twin(page)).toHaveCount(0)
    await expect(toast(page)).toContainText('Unable to validate address')
    await expect(page.getByText(message)).toHaveCount(2)
    await expect(toast(page)).toContainText(message)
    // The focus announces the message; no live region repeats it.
    await expect(live(page).filter({ hasText: message })).toHaveCount(0)
    await page.clock.runFor(4000)
    await expect(toast(page)).toBeVisible()

    await page.getByRole('button', { name: 'Close message' }).click()
    await expect(toast(page)).toBeHidden()
    await expect(field(page, label)).toBeFocused()
    await expectError(field(page, label), message)
    await expect(field(page, 'Street address')).toHaveValue(typed.address)
    await expect(field(page, 'ZIP code')).toHaveValue(typed.zip)

    // The fault occurs again and is fixed in the field, so its message no longer applies.
    await next(page)
    await expect(toast(page)).toBeVisible()
    await fillAddress(page, ada)
    await expect(toast(page)).toBeHidden()
    await next(page)
    await expectStep(page, 3)
  })
}

test('with the address service down, the visitor enters city and state, and the lead is sent', async ({
  page,
  product,
  email,
}) => {
  await page.clock.install()
  await toAddress(page, email)
  await expect(field(page, 'City')).toBeHidden()
  await fillAddress(page, { ...ada, zip: '99999' })
  await next(page)
  await expect(toast(page)).toContainText('Unable to validate address')
  await expect(toast(page)).toContainText('Error validating address: the address service is not')
  await expect(page.getByText('the address service is not')).toHaveCount(1)
  await page.clock.runFor(4000)
  await expect(toast(page)).toBeVisible()
  await expect(field(page, 'Street address')).toHaveValue(ada.address)
  // No field has the message, so the toast announces it.
  await expect(page.getByRole('alert')).toContainText('Please enter or check your city and state')
  await expect(twin(page)).toHaveCount(0)
  await expect(field(page, 'City')).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(toast(page)).toBeHidden()
  await expect(field(page, 'City')).toBeFocused()

  await next(page)
  await expectAttention(page, field(page, 'City'))
  await expectError(field(page, 'City'), 'Enter your city.')
  await expectError(field(page, 'State'), 'Enter your state.')
  await field(page, 'City').fill('Bradenton')
  await field(page, 'State').fill('FL')
  await next(page)
  await finishFromEducation(page, ada)

  expect(storedLeads(product.dataDir, email)).toMatchObject([
    { payload: { addressVerified: false, city: 'Bradenton', state: 'FL', zip: '99999' } },
  ])
  const [arrived] = await arrivals(product.sandboxUrl, email)
  expect(arrived?.body.lead_address).toStrictEqual({
    address: ada.address,
    city: 'Bradenton',
    state: 'FL',
    zip: '99999',
  })
})

test('a corrected ZIP code fills in city and state, and nothing says that they are needed', async ({
  page,
  email,
}) => {
  const needed = page.getByRole('group', { name: 'Still needed' })
  await toAddress(page, email)
  await fillAddress(page, { ...ada, zip: '99999' })
  await next(page)
  await expect(field(page, 'City')).toBeFocused()
  await next(page)
  await expect(needed).toBeFocused()
  await fillAddress(page, { ...ada, zip: '94043' })
  await expect(field(page, 'State')).toHaveValue('CA')
  // The line keeps its space, so that the field does not move while the visitor types.
  await expect(field(page, 'ZIP code')).toBeFocused()
  await expect(needed).toHaveCount(0)
  await expect(page.locator('[data-summary]')).toBeHidden()
  await page.keyboard.press('Tab')
  await expect(page.locator('[data-summary]')).toHaveCount(0)
  await next(page)
  await expectStep(page, 3)
})

test('if only the street cannot be checked, the visitor confirms the ZIP’s city and state', async ({
  page,
  product,
  email,
}) => {
  const [city, state] = [field(page, 'City'), field(page, 'State')]
  await toAddress(page, email)
  await fillAddress(page, { address: '1 Palm Avenue', zip: '99999' })
  await next(page)
  await expect(page.getByText('We could not check your address.')).toBeVisible()
  // The corrected ZIP code has a known city, so no field asks for it.
  await field(page, 'ZIP code').fill('34236')
  await expect(city).toHaveValue('Sarasota')
  await expect(state).toHaveValue('FL')

  await fillAddress(page, { address: '1 Sandbox-503 St', zip: '99501' })
  await next(page)
  await expect(page.getByRole('alert')).toContainText('Please enter or check your city and state')
  await expect(city).toBeFocused()
  await expect(city).toHaveValue('Anchorage')
  await expect(state).toHaveValue('AK')

  await state.fill('Tejas')
  await next(page)
  await expectError(state, 'Enter your state, like FL or Florida.')
  await state.fill('alaska')
  await next(page)
  await finishFromEducation(page, ada)
  expect(storedLeads(product.dataDir, email)).toMatchObject([
    { payload: { addressVerified: false, city: 'Anchorage', state: 'AK', zip: '99501' } },
  ])
})

test('the form shows a field for every unknown or refused value', async ({
  page,
  product,
  email,
}) => {
  await page.route('**/api/zip-lookups/*', (route) => route.fulfill({ json: { status: 'ok' } }))
  const postalAddress = {
    addressLines: [ada.address],
    postalCode: ada.zip,
    administrativeArea: 'Florida',
  }
  await page.route('**/api/address-validations', (route) =>
    route.fulfill({ json: { result: { address: { postalAddress } } } }),
  )
  await toAddress(page, email)
  await fillAddress(page, ada)
  await next(page)
  await expectAttention(page, field(page, 'City'))
  await expectError(field(page, 'City'), 'Enter your city.')
  await expectError(field(page, 'State'), 'Enter your state.')
  await expect(toast(page)).toBeHidden()
  await field(page, 'City').fill('Sarasota')
  await field(page, 'State').fill('fl')
  await next(page)
  await expectStep(page, 3)
  await fillYourEducation(page, ada)
  await next(page)
  await fillProgram(page, ada)

  const message = 'Enter your state, like FL or Florida.'
  const refused = { status: 422, errors: [{ field: 'state', message }] }
  await page.route('**/api/leads', (route) =>
    route.fulfill({ status: 422, contentType: 'application/problem+json', json: refused }),
  )
  await send(page)
  await expectStep(page, 2)
  await expectError(field(page, 'State'), message)
  await expect(field(page, 'City')).toHaveValue('Sarasota')
  await page.unroute('**/api/leads')
  await field(page, 'State').fill('GA')
  for (const _ of ['your-education', 'program']) await next(page)
  await send(page)
  await expectThanks(page)
  expect(storedLeads(product.dataDir, email)).toMatchObject([
    { payload: { addressVerified: false, city: 'Sarasota', state: 'GA', phone: ada.phone } },
  ])
})

test('the city of a ZIP appears without moving Next from under the pointer', async ({
  page,
  email,
}) => {
  await toAddress(page, email)
  const button = page.getByRole('button', { name: 'Next', exact: true })
  const before = await button.boundingBox()
  await fillAddress(page, ada)
  await expect(page.getByText('Sarasota, FL')).toBeVisible()
  expect(await button.boundingBox()).toEqual(before)
})

test('the form checks an address again only if the visitor changed it', async ({ page, email }) => {
  const zips = listenIn(page, '/api/zip-lookups/')
  const streets = listenIn(page, '/api/address-validations')
  await toAddress(page, email)
  await fillAddress(page, ada)
  await next(page)
  await expectStep(page, 3)
  expect(streets).toHaveLength(1)
  const zipsAsked = zips.length

  await back(page)
  await expectStep(page, 2)
  await next(page)
  await expectStep(page, 3)
  expect(streets).toHaveLength(1)
  expect(zips).toHaveLength(zipsAsked)

  await back(page)
  await field(page, 'Street address').fill('2 Palm Avenue')
  await next(page)
  await expectStep(page, 3)
  expect(streets).toHaveLength(2)
})

test('the store keeps a checked address as verified, with the ZIP+4 beside the ZIP', async ({
  page,
  product,
  email,
}) => {
  await toAddress(page, email)
  await fillAddress(page, { address: '123 Main St', zip: '34236' })
  await next(page)
  await finishFromEducation(page, ada)
  expect(storedLeads(product.dataDir, email)).toMatchObject([
    { payload: { addressVerified: true, zip: '34236', zipPlus4: '34236-5610', city: 'Sarasota' } },
  ])
})

test('during the address check, the form is disabled and its button shows progress', async ({
  page,
  email,
}) => {
  const held = Promise.withResolvers<void>()
  await page.route('**/api/zip-lookups/*', async (route) => {
    await held.promise
    await route.continue()
  })
  await toAddress(page, email)
  await fillAddress(page, ada)
  await next(page)
  await expect(field(page, 'Street address')).toBeDisabled()
  const waiting = page.getByRole('button', { name: 'Checking your address…' })
  await expect(waiting).toHaveAttribute('aria-disabled', 'true')
  await expect(page.locator('form').getByRole('status').last()).toHaveText('Checking your address…')
  held.resolve()
  await expectStep(page, 3)
})

for (const viewport of [
  { width: 360, height: 640 },
  { width: 390, height: 664 },
  { width: 768, height: 500 },
  { width: 1280, height: 800 },
]) {
  test.describe(`at ${viewport.width} × ${viewport.height}`, () => {
    test.use({ viewport })

    async function expectApart(page: Page, focused: Locator) {
      await expect(focused).toBeFocused()
      const isApart = async () => {
        const [over, under] = [await toast(page).boundingBox(), await focused.boundingBox()]
        if (over === null || under === null) throw new Error('it is not shown')
        return (
          under.y + under.height <= over.y ||
          over.y + over.height <= under.y ||
          over.x + over.width <= under.x
        )
      }
      await expect.poll(isApart).toBe(true)
    }

    test('the toast of a failed submission does not cover the focused button', async ({
      page,
      email,
    }) => {
      await comeBackTo(page, 4, '/technology', { ...ada, email })
      await fillProgram(page, { ...ada, program: 'B.S. Computer Science' })
      await page.route('**/api/leads', (route) =>
        route.fulfill({
          status: 429,
          contentType: 'application/problem+json',
          json: { detail: 'Please try again in 20 seconds.' },
        }),
      )
      await send(page)
      await expectApart(page, page.getByRole('button', { name: 'Agree & Continue' }))
      await expect(toast(page)).toBeInViewport({ ratio: 1 })
      await expect(page.getByText('We have not sent your request yet.')).toBeInViewport()
    })

    test('the toast is in the window and covers neither the focused field nor the last link', async ({
      page,
      email,
    }) => {
      await toAddress(page, email)
      await fillAddress(page, { ...ada, zip: '00000' })
      await next(page)
      await expectApart(page, field(page, 'ZIP code'))
      await expect(toast(page)).toBeInViewport({ ratio: 1 })
      await fillAddress(page, { ...ada, zip: '99999' })
      await next(page)
      await expectApart(page, field(page, 'City'))
      await field(page, 'State').focus()
      await expectApart(page, field(page, 'State'))
      await expect(toast(page)).toBeInViewport({ ratio: 1 })
      // The toast belongs to the card, so at the end of the page it is out of sight.
      const unsubscribe = page.getByRole('link', { name: /^Unsubscribe/ })
      await unsubscribe.focus()
      await expect(unsubscribe).toBeInViewport({ ratio: 1 })
      await expectApart(page, unsubscribe)
    })
  })
}
