import { expect, type Page } from '@playwright/test'
import { arrivals } from '#tests/product/sandbox-ledger.ts'
import { storedLeads } from '#tests/product/stored-leads.ts'
import { ada } from './ada.ts'
import { comeBackTo } from './come-back-to.ts'
import { back, expectStep, field, fillAddress, finishFromEducation, next } from './fill-steps.ts'
import { listenIn } from './listen-in.ts'
import { PlainBrowser } from './plain-browser.ts'
import { test } from './visit.ts'

const mistyped = { address: '1 REPLACE St', zip: '34236' }
const withoutUnit = { address: '1 NOUNIT St', zip: '34236' }

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const question = (page: Page, heading: string) => page.getByRole('group', { name: heading })

/** Comes back to the second step and goes to the question about the address. */
async function toQuestion(page: Page, email: string, address: { address: string; zip: string }) {
  await comeBackTo(page, 2, '/business', { ...ada, email })
  await fillAddress(page, address)
  await next(page)
}

test('the form offers a corrected street, and the visitor accepts it with its button', async ({
  page,
  product,
  email,
}) => {
  await toQuestion(page, email, mistyped)
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
  await toQuestion(page, email, mistyped)
  await expect(question(page, 'Did you mean 1 Replaced St?')).toBeVisible()
  await button(page, 'Keep what I typed').click()
  await finishFromEducation(page, ada)
  expect(storedLeads(product.dataDir, email)).toMatchObject([
    { payload: { street: '1 REPLACE St', addressVerified: false, city: 'Sarasota' } },
  ])
})

test('Enter in a field decides nothing, and Next is not offered', async ({
  page,
  product,
  email,
}) => {
  await toQuestion(page, email, mistyped)
  await expect(question(page, 'Did you mean 1 Replaced St?')).toBeFocused()
  await expect(button(page, 'Next')).toHaveCount(0)
  await field(page, 'ZIP code').press('Enter')
  await expect(question(page, 'Did you mean 1 Replaced St?')).toBeFocused()
  await expectStep(page, 2)
  await button(page, 'Keep what I typed').click()
  await expectStep(page, 3)
  await back(page)
  await expect(field(page, 'Street address')).toHaveValue('1 REPLACE St')
  await next(page)
  await expectStep(page, 3)
  await back(page)
  await fillAddress(page, { ...mistyped, address: '2 REPLACE St' })
  await next(page)
  await expect(question(page, 'Did you mean 2 Replaced St?')).toBeVisible()
  await button(page, 'Keep what I typed').click()
  await finishFromEducation(page, ada)
  expect(storedLeads(product.dataDir, email)).toMatchObject([
    { payload: { street: '2 REPLACE St', addressVerified: false, city: 'Sarasota' } },
  ])
})

test('the form asks for a missing unit and adds it', async ({ page, product, email }) => {
  await toQuestion(page, email, withoutUnit)
  await expect(question(page, 'Which apartment or unit is yours?')).toBeFocused()
  const unit = 'Apt 4B, lower level of the building behind the church'
  await field(page, 'Apartment or unit').fill(unit)
  await field(page, 'Apartment or unit').press('Enter')
  await finishFromEducation(page, ada)
  const [arrived] = await arrivals(product.sandboxUrl, email)
  expect(arrived?.body.lead_address).toMatchObject({ address: `1 NOUNIT St ${unit}` })
})

test('the visitor can continue without a unit', async ({ page, product, email }) => {
  await toQuestion(page, email, withoutUnit)
  await field(page, 'Apartment or unit').fill('none')
  await button(page, 'My address has no unit').click()
  await finishFromEducation(page, ada)
  expect(storedLeads(product.dataDir, email)).toMatchObject([
    { payload: { street: '1 NOUNIT St', addressVerified: true } },
  ])
})

test('the form asks about a correction and a unit together', async ({ page, product, email }) => {
  await toQuestion(page, email, { address: '1 REPLACE NOUNIT St', zip: '34236' })
  await field(page, 'Apartment or unit').fill('Apt 7')
  await button(page, 'Use 1 Replaced NOUNIT St').click()
  await finishFromEducation(page, ada)
  expect(storedLeads(product.dataDir, email)).toMatchObject([
    { payload: { street: '1 Replaced NOUNIT St Apt 7', addressVerified: true } },
  ])
})

test('the visitor can keep a street that Google doesn’t know', async ({ page, product, email }) => {
  await toQuestion(page, email, { address: '1 UNKNOWN St', zip: '34236' })
  await expect(question(page, 'Is this street right?')).toBeVisible()
  await button(page, 'Keep what I typed').click()
  await finishFromEducation(page, ada)
  expect(storedLeads(product.dataDir, email)).toMatchObject([
    { payload: { street: '1 UNKNOWN St', addressVerified: false, city: 'Sarasota' } },
  ])
})

test.describe('without JavaScript', () => {
  async function toQuestion(site: string, email: string, address: string) {
    const plain = new PlainBrowser(site)
    await plain.goto('/business')
    await plain.fillToStep(2, { ...ada, email })
    plain.answer('address', { ...ada, address })
    await plain.press('Next')
    plain.expectStep(2)
    return plain
  }

  for (const { answer, address, asked, unit, press, street, addressVerified } of [
    {
      answer: 'the form offers a corrected street, and the visitor accepts it with its button',
      address: '1 REPLACE St',
      asked: 'Did you mean 1 Replaced St?',
      press: 'Use 1 Replaced St',
      street: '1 Replaced St',
      addressVerified: true,
    },
    {
      answer: 'the visitor declines a corrected street with its button',
      address: '1 REPLACE St',
      asked: 'Did you mean 1 Replaced St?',
      press: 'Keep what I typed',
      street: '1 REPLACE St',
      addressVerified: false,
    },
    {
      answer: 'the form asks for a missing unit and adds it with Enter',
      address: '1 NOUNIT St',
      asked: 'Which apartment or unit is yours?',
      unit: '4B',
      press: 'Apartment or unit',
      street: '1 NOUNIT St Unit 4B',
      addressVerified: true,
    },
    {
      answer: 'the visitor can continue without a unit',
      address: '1 NOUNIT St',
      asked: 'Which apartment or unit is yours?',
      unit: 'none',
      press: 'My address has no unit',
      street: '1 NOUNIT St',
      addressVerified: true,
    },
    {
      answer: 'the form asks about a correction and a unit together',
      address: '1 REPLACE NOUNIT St',
      asked: 'Did you mean 1 Replaced NOUNIT St?',
      unit: 'Apt 7',
      press: 'Use 1 Replaced NOUNIT St',
      street: '1 Replaced NOUNIT St Apt 7',
      addressVerified: true,
    },
    {
      answer: 'the visitor can keep a street that Google doesn’t know',
      address: '1 UNKNOWN St',
      asked: 'Is this street right?',
      press: 'Keep what I typed',
      street: '1 UNKNOWN St',
      addressVerified: false,
    },
  ]) {
    test(answer, async ({ product, email }) => {
      const plain = await toQuestion(product.url, email, address)
      expect(plain.asked).toBe(asked)
      expect(plain.value('Street address')).toBe(address)
      if (unit !== undefined) plain.fill('Apartment or unit', unit)
      await plain.press(press)
      await plain.finishFromEducation(ada)
      expect(storedLeads(product.dataDir, email)).toMatchObject([
        { payload: { street, addressVerified, city: 'Sarasota' } },
      ])
      const [arrived] = await arrivals(product.sandboxUrl, email)
      expect(arrived?.body.lead_address).toMatchObject({ address: street, zip: '34236' })
    })
  }

  test('Enter in a field decides nothing', async ({ product, email }) => {
    const plain = await toQuestion(product.url, email, '1 REPLACE St')
    expect(plain.text).not.toContain('Next')
    await plain.press('ZIP code')
    plain.expectStep(2)
    expect(plain.asked).toBe('Did you mean 1 Replaced St?')
    await plain.press('Keep what I typed')
    plain.expectStep(3)
    await plain.press('Back')
    expect(plain.value('Street address')).toBe('1 REPLACE St')
    await plain.press('Next')
    plain.expectStep(3)
    await plain.press('Back')
    plain.fill('Street address', '2 REPLACE St')
    await plain.press('Next')
    expect(plain.asked).toBe('Did you mean 2 Replaced St?')
    await plain.press('Keep what I typed')
    await plain.finishFromEducation(ada)
    expect(storedLeads(product.dataDir, email)).toMatchObject([
      { payload: { street: '2 REPLACE St', addressVerified: false, city: 'Sarasota' } },
    ])
  })
})

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
  await expect(button(page, 'Use 2 Replaced St')).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(button(page, 'Keep what I typed')).toBeFocused()
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('Enter')
  await expectStep(page, 3)
  await back(page)
  await expect(field(page, 'Street address')).toHaveValue('2 Replaced St')
  await next(page)
  await expectStep(page, 3)
  expect(streets).toHaveLength(2)
})
