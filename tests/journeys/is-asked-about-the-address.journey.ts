import { expect, type Page } from '@playwright/test'
import { arrivals } from '#tests/product/sandbox-ledger.ts'
import { storedLeads } from '#tests/product/stored-leads.ts'
import { ada } from './ada.ts'
import { comeBackTo } from './come-back-to.ts'
import {
  back,
  expectStep,
  field,
  fillAddress,
  fillToStep,
  finishFromEducation,
  next,
} from './fill-steps.ts'
import { listenIn } from './listen-in.ts'
import { test } from './visit.ts'

const mistyped = { address: '1 REPLACE St', zip: '34236' }
const withoutUnit = { address: '1 NOUNIT St', zip: '34236' }

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const question = (page: Page, heading: string) => page.getByRole('group', { name: heading })

/**
 * Goes to the question about the address. With scripts, the visitor comes back to the second step; without them, no
 * step is saved.
 */
async function toQuestion(
  page: Page,
  email: string,
  address: { address: string; zip: string },
  hasScript = true,
) {
  if (hasScript) await comeBackTo(page, 2, '/business', { ...ada, email })
  else {
    await page.goto('/business')
    await fillToStep(page, 2, { ...ada, email })
  }
  await fillAddress(page, address)
  await next(page)
}

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? 'with JavaScript' : 'without JavaScript', () => {
    test.use({ javaScriptEnabled })

    test('the form offers a corrected street, and the visitor accepts it with its button', async ({
      page,
      product,
      email,
    }) => {
      await toQuestion(page, email, mistyped, javaScriptEnabled)
      await expect(question(page, 'Did you mean 1 Replaced St?')).toBeVisible()
      await expect(field(page, 'Street address')).toHaveValue('1 REPLACE St')
      await expectStep(page, 2)
      await button(page, 'Use 1 Replaced St').click()
      await finishFromEducation(page, ada)

      expect(storedLeads(product.dataDir, email)).toMatchObject([
        { payload: { street: '1 Replaced St', addressVerified: true, city: 'Sarasota' } },
      ])
      const [arrived] = await arrivals(product.sandboxUrl, email)
      expect(arrived?.body.lead_address).toMatchObject({ address: '1 Replaced St', zip: '34236' })
    })

    test('the visitor declines a corrected street with its button', async ({
      page,
      product,
      email,
    }) => {
      await toQuestion(page, email, mistyped, javaScriptEnabled)
      await expect(question(page, 'Did you mean 1 Replaced St?')).toBeVisible()
      await button(page, 'Keep what I typed').click()
      await finishFromEducation(page, ada)
      expect(storedLeads(product.dataDir, email)).toMatchObject([
        { payload: { street: '1 REPLACE St', addressVerified: false, city: 'Sarasota' } },
      ])
    })

    test('neither Enter in a field nor Next accepts a corrected street', async ({
      page,
      product,
      email,
    }) => {
      await toQuestion(page, email, mistyped, javaScriptEnabled)
      await expect(question(page, 'Did you mean 1 Replaced St?')).toBeVisible()
      await field(page, 'ZIP code').press('Enter')
      await expectStep(page, 3)
      await back(page)
      await expect(field(page, 'Street address')).toHaveValue('1 REPLACE St')
      await next(page)
      await expectStep(page, 3)
      await back(page)
      await fillAddress(page, { ...mistyped, address: '2 REPLACE St' })
      await next(page)
      await expect(question(page, 'Did you mean 2 Replaced St?')).toBeVisible()
      await next(page)
      await finishFromEducation(page, ada)
      expect(storedLeads(product.dataDir, email)).toMatchObject([
        { payload: { street: '2 REPLACE St', addressVerified: false, city: 'Sarasota' } },
      ])
    })

    test('the form asks for a missing unit and adds it', async ({ page, product, email }) => {
      await toQuestion(page, email, withoutUnit, javaScriptEnabled)
      await expect(question(page, 'Which apartment or unit is yours?')).toBeFocused()
      await field(page, 'Apartment or unit').fill('4B')
      await field(page, 'Apartment or unit').press('Enter')
      await finishFromEducation(page, ada)
      const [arrived] = await arrivals(product.sandboxUrl, email)
      expect(arrived?.body.lead_address).toMatchObject({ address: '1 NOUNIT St Unit 4B' })
    })

    test('the visitor can continue without a unit', async ({ page, product, email }) => {
      await toQuestion(page, email, withoutUnit, javaScriptEnabled)
      await field(page, 'Apartment or unit').fill('none')
      await button(page, 'My address has no unit').click()
      await finishFromEducation(page, ada)
      expect(storedLeads(product.dataDir, email)).toMatchObject([
        { payload: { street: '1 NOUNIT St', addressVerified: true } },
      ])
    })

    test('the form asks about a correction and a unit together', async ({
      page,
      product,
      email,
    }) => {
      await toQuestion(
        page,
        email,
        { address: '1 REPLACE NOUNIT St', zip: '34236' },
        javaScriptEnabled,
      )
      await field(page, 'Apartment or unit').fill('Apt 7')
      await button(page, 'Use 1 Replaced NOUNIT St').click()
      await finishFromEducation(page, ada)
      expect(storedLeads(product.dataDir, email)).toMatchObject([
        { payload: { street: '1 Replaced NOUNIT St Apt 7', addressVerified: true } },
      ])
    })

    test('the visitor can keep a street that Google doesn’t know', async ({
      page,
      product,
      email,
    }) => {
      await toQuestion(page, email, { address: '1 UNKNOWN St', zip: '34236' }, javaScriptEnabled)
      await expect(question(page, 'Is this street right?')).toBeVisible()
      await button(page, 'Keep what I typed').click()
      await finishFromEducation(page, ada)
      expect(storedLeads(product.dataDir, email)).toMatchObject([
        { payload: { street: '1 UNKNOWN St', addressVerified: false, city: 'Sarasota' } },
      ])
    })
  })
}

test('the question gets the focus, works by keyboard, and appears once for each street', async ({
  page,
  email,
}) => {
  const streets = listenIn(page, '/api/address-validations')
  await toQuestion(page, email, mistyped)
  await expect(question(page, 'Did you mean 1 Replaced St?')).toBeFocused()

  // A changed street removes the question.
  await field(page, 'Street address').fill('2 REPLACE St')
  await expect(question(page, 'Did you mean 1 Replaced St?')).toBeHidden()
  await field(page, 'Street address').press('Enter')
  await expect(question(page, 'Did you mean 2 Replaced St?')).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(button(page, 'Keep what I typed')).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(button(page, 'Use 2 Replaced St')).toBeFocused()
  await page.keyboard.press('Enter')
  await expectStep(page, 3)
  await back(page)
  await expect(field(page, 'Street address')).toHaveValue('2 Replaced St')
  await next(page)
  await expectStep(page, 3)
  expect(streets).toHaveLength(2)
})
