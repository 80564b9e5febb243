import { expect, type Page } from '@playwright/test'
import { arrivals } from '#tests/product/sandbox-ledger.ts'
import { storedLeads } from '#tests/product/stored-leads.ts'
import { ada } from './ada.ts'
import { expectError } from './expect-error.ts'
import {
  expectQuestionFocused,
  expectStep,
  expectThanks,
  field,
  fillAboutYou,
  fillAddress,
  fillAll,
  next,
  send,
} from './fill-steps.ts'
import { leadAsSent } from './lead-as-sent.ts'
import { PlainBrowser } from './plain-browser.ts'
import { test } from './visit.ts'

test.use({ javaScriptEnabled: false })

const mba = {
  city: 'Sarasota',
  state: 'FL',
  levelId: 791,
  programId: 8,
  rnLicense: 'FALSE',
  teachingLicense: 'No',
} as const

const received = (page: Page) => new URL(page.url()).searchParams.get('received')

test.describe('with pages that fade into each other', () => {
  test.use({ contextOptions: { reducedMotion: 'no-preference' } })

  test('a visitor without JavaScript sends one lead, and a reload sends nothing', async ({
    page,
    product,
    email,
  }) => {
    const person = { ...ada, email }
    await page.goto('/Business?AFFID=Partner-7')
    await fillAll(page, person)
    await send(page)
    await expectThanks(page)
    const heading = page.getByRole('heading', { name: 'Information Received' })
    await expect(heading).toBeFocused()
    await expect(heading).toHaveCSS('outline-style', 'none')

    const [arrived] = await arrivals(product.sandboxUrl, email)
    expect(arrived?.body).toStrictEqual(leadAsSent(product, person, { ...mba, subId: 'Partner-7' }))
    expect(arrived?.headers['idempotency-key']).toBe(received(page))

    await page.reload()
    await expectThanks(page)
    expect(storedLeads(product.dataDir, email)).toHaveLength(1)
    expect(await arrivals(product.sandboxUrl, email)).toMatchObject([{ countForLead: 1 }])
  })
})

test('a form with errors keeps all answers', async ({ page, email }) => {
  await page.goto('/business')
  await fillAboutYou(page, { ...ada, email, phone: '941555010' })
  await next(page)
  await expectStep(page, 1)
  await expect(page.getByRole('group', { name: 'Please check' })).toBeFocused()
  await expectError(field(page, 'Phone'), 'Enter a 10-digit U.S. number.')
  await expect(field(page, 'First name')).toHaveValue(ada.firstName)
  await expect(field(page, 'Last name')).toHaveValue(ada.lastName)
  await expect(field(page, 'Phone')).toHaveValue('941555010')
  await expect(field(page, 'Email')).toHaveValue(email)

  await field(page, 'Phone').fill(ada.phone)
  await field(page, 'Email').fill('ada@gmial.com')
  await next(page)
  const question = page.getByRole('group', { name: 'Did you mean ada@gmail.com?' })
  await expect(question).toBeFocused()
  await expect(page.getByRole('button', { name: 'Next', exact: true })).toHaveCount(0)
  await field(page, 'Email').press('Enter')
  await expect(question).toBeFocused()
  await expect(field(page, 'Email')).toHaveValue('ada@gmial.com')
  await page.getByRole('button', { name: 'Keep what I typed' }).click()
  await expectStep(page, 2)
  await expectQuestionFocused(page, 2)
  await expect(page.locator(':focus')).toHaveCSS('outline-style', 'none')
  await fillAddress(page, { address: '1 Palm Avenue', zip: '3423' })
  await next(page)
  await expectError(field(page, 'ZIP code'), 'Enter the 5 digits of your ZIP code.')
  await expect(field(page, 'ZIP code')).toHaveValue('3423')
  await expect(field(page, 'Street address')).toHaveValue('1 Palm Avenue')
})

test('an incomplete last step keeps its answers, and Back keeps those of every step', async ({
  product,
  email,
}) => {
  const plain = new PlainBrowser(product.url)
  await plain.goto('/business')
  await plain.fillAll({ ...ada, email })
  plain.choose('Program', 'Choose a program')
  await plain.press('Agree & Continue')
  plain.expectStep(4)
  expect(plain.error('Program')).toBe('Choose a program.')
  expect(plain.value('Start date')).toBe('immediately')
  expect(plain.isAgreed).toBe(true)

  plain.answer('program', ada)
  await plain.press('Back')
  plain.expectStep(3)
  expect(plain.value('Graduation year')).toBe(ada.graduationYear)
  expect(plain.value('Education level')).toBe('791')
  await plain.press('Back')
  expect(plain.value('Street address')).toBe(ada.address)
  expect(plain.value('ZIP code')).toBe(ada.zip)
  await plain.press('Back')
  plain.expectStep(1)
  expect(plain.value('Phone')).toBe('(941) 555-0100')
  expect(plain.value('Email')).toBe(email)
  for (const _ of [2, 3, 4]) await plain.press('Next')
  plain.expectStep(4)
  expect(plain.value('Program')).toBe('8')
  expect(plain.isAgreed).toBe(true)
})

test('sending the last step twice gives one lead; another person’s answers after Back give another lead', async ({
  product,
  email,
}) => {
  const plain = new PlainBrowser(product.url)
  const received = () => plain.url.searchParams.get('received')
  await plain.goto('/business')
  await plain.fillAll({ ...ada, email })
  await plain.press('Agree & Continue')
  plain.expectThanks()
  const first = received()
  await plain.goto('/business', plain.posted)
  plain.expectThanks()
  expect(received()).toBe(first)
  expect(storedLeads(product.dataDir, email)).toHaveLength(1)

  plain.goBack()
  plain.goBack()
  for (const step of [4, 3, 2]) {
    plain.expectStep(step)
    await plain.press('Back')
  }
  plain.fill('First name', 'Bea')
  for (const step of [2, 3, 4]) {
    await plain.press('Next')
    plain.expectStep(step)
  }
  await plain.press('Agree & Continue')
  plain.expectThanks()
  const [, other] = storedLeads(product.dataDir, email)
  expect(other).toMatchObject({ payload: { firstName: 'Bea' }, corrects: first })
  expect(received()).toBe(other?.id)
  const sent = await arrivals(product.sandboxUrl, email, 2)
  expect(sent.map(({ body }) => body.lead.firstname).toSorted()).toEqual(['Ada', 'Bea'])
})

test('a visitor without cookies keeps the affiliate id from the address', async ({
  product,
  email,
}) => {
  const plain = new PlainBrowser(product.url)
  await plain.goto('/business?AFFID=Partner-7')
  for (const id of ['about-you', 'address', 'your-education'] as const) {
    plain.answer(id, { ...ada, email })
    plain.clearCookies()
    await plain.press('Next')
  }
  plain.expectStep(4)
  plain.answer('program', ada)
  plain.clearCookies()
  await plain.press('Agree & Continue')
  plain.expectThanks()
  const [arrived] = await arrivals(product.sandboxUrl, email)
  expect(arrived?.body.subId).toBe('Partner-7')
})

test('a wrong ZIP is reported at the field and above the form', async ({ product, email }) => {
  const plain = new PlainBrowser(product.url)
  await plain.goto('/business')
  await plain.fillToStep(2, { ...ada, email })
  plain.answer('address', { ...ada, zip: '00000' })
  await plain.press('Next')
  expect(plain.error('ZIP code')).toBe('Invalid zip code: please enter another value.')
  expect(plain.asked).toBe('Unable to validate address')
  expect(plain.value('Street address')).toBe(ada.address)
})

test('with the address service down, the visitor enters city and state and continues', async ({
  product,
  email,
}) => {
  const plain = new PlainBrowser(product.url)
  await plain.goto('/business')
  await plain.fillToStep(2, { ...ada, email })
  plain.answer('address', { ...ada, zip: '99999' })
  await plain.press('Next')
  expect(plain.text).toContain('Error validating address: ')
  expect(plain.isLinkTo('Go to City and State', 'City')).toBe(true)
  plain.answer('address', { ...ada, address: '1 Sandbox-503 St', zip: '99501' })
  await plain.press('Next')
  expect(plain.value('City')).toBe('Anchorage')
  await plain.press('Next')
  await plain.finishFromEducation(ada)
  const [stored] = storedLeads(product.dataDir, email)
  expect(stored?.payload).toMatchObject({ addressVerified: false, city: 'Anchorage', state: 'AK' })
})
