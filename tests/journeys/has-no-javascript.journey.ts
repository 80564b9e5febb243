import { expect, type Page } from '@playwright/test'
import { arrivals } from '#tests/product/sandbox-ledger.ts'
import { storedLeads } from '#tests/product/stored-leads.ts'
import { ada } from './ada.ts'
import { expectError } from './expect-error.ts'
import {
  back,
  expectStep,
  expectThanks,
  field,
  fillAboutYou,
  fillAddress,
  fillAll,
  fillProgram,
  fillYourEducation,
  finishFromEducation,
  next,
  nextThrough,
  send,
} from './fill-steps.ts'
import { leadAsSent } from './lead-as-sent.ts'
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
    await expect(page.getByRole('heading', { name: 'Information Received' })).toBeFocused()

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
  await expect(page.getByRole('group', { name: 'There is a problem' })).toBeFocused()
  await expectError(
    field(page, 'Phone'),
    'Enter a 10-digit U.S. phone number, like (941) 555-0100.',
  )
  await expect(field(page, 'First name')).toHaveValue(ada.firstName)
  await expect(field(page, 'Last name')).toHaveValue(ada.lastName)
  await expect(field(page, 'Phone')).toHaveValue('941555010')
  await expect(field(page, 'Email')).toHaveValue(email)

  await field(page, 'Phone').fill(ada.phone)
  await field(page, 'Email').fill('ada@gmial.com')
  await next(page)
  await expect(page.getByRole('group', { name: 'Did you mean ada@gmail.com?' })).toBeFocused()
  await next(page)
  await expectStep(page, 2)
  await expect(page.getByRole('heading', { name: 'Step 2 of 4' })).toBeFocused()
  await fillAddress(page, { address: '1 Palm Avenue', zip: '3423' })
  await next(page)
  await expectError(field(page, 'ZIP code'), 'Enter the 5 digits of your ZIP code.')
  await expect(field(page, 'ZIP code')).toHaveValue('3423')
  await expect(field(page, 'Street address')).toHaveValue('1 Palm Avenue')
})

test('an incomplete last step keeps its answers, and Back keeps those of every step', async ({
  page,
  email,
}) => {
  await page.goto('/business')
  await fillAll(page, { ...ada, email })
  await field(page, 'Program').selectOption('')
  await send(page)
  await expectStep(page, 4)
  await expectError(field(page, 'Program'), 'Choose the program that interests you.')
  await expect(field(page, 'Start date')).toHaveValue('immediately')
  await expect(page.getByRole('checkbox')).toBeChecked()

  await fillProgram(page, ada)
  await back(page)
  await expectStep(page, 3)
  await expect(field(page, 'Graduation year')).toHaveValue(ada.graduationYear)
  await expect(field(page, 'Education level')).toHaveValue('791')
  await back(page)
  await expect(field(page, 'Street address')).toHaveValue(ada.address)
  await expect(field(page, 'ZIP code')).toHaveValue(ada.zip)
  await back(page)
  await expectStep(page, 1)
  await expect(field(page, 'Phone')).toHaveValue('(941) 555-0100')
  await expect(field(page, 'Email')).toHaveValue(email)
  await next(page)
  await next(page)
  await next(page)
  await expectStep(page, 4)
  await expect(field(page, 'Program')).toHaveValue('8')
  await expect(page.getByRole('checkbox')).toBeChecked()
})

test('sending the last step twice gives one lead; another person’s answers after Back give another lead', async ({
  page,
  product,
  email,
}) => {
  await page.goto('/business')
  await fillAll(page, { ...ada, email })
  const posted = page.waitForRequest((request) => request.method() === 'POST')
  await send(page)
  await expectThanks(page)
  const first = received(page) ?? '-'
  const again = await page.request.post('/business', {
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    data: (await posted).postData() ?? '',
    maxRedirects: 0,
  })
  expect(again.status()).toBe(303)
  expect(again.headers().location).toContain(first)
  expect(storedLeads(product.dataDir, email)).toHaveLength(1)

  await page.goBack()
  for (const step of [4, 3, 2]) {
    await expectStep(page, step)
    await back(page)
  }
  await field(page, 'First name').fill('Bea')
  await nextThrough(page, 2, 3, 4)
  await send(page)
  await expectThanks(page)
  const [, other] = storedLeads(product.dataDir, email)
  expect(other).toMatchObject({ payload: { firstName: 'Bea' }, corrects: first })
  expect(received(page)).toBe(other?.id)
  const sent = await arrivals(product.sandboxUrl, email, 2)
  expect(sent.map(({ body }) => body.lead.firstname).toSorted()).toEqual(['Ada', 'Bea'])
})

test('a visitor without cookies keeps the affiliate id from the address', async ({
  page,
  context,
  product,
  email,
}) => {
  const person = { ...ada, email }
  const steps = [fillAboutYou, fillAddress, fillYourEducation]
  await page.goto('/business?AFFID=Partner-7')
  for (const [index, fill] of steps.entries()) {
    await expectStep(page, index + 1)
    await fill(page, person)
    await context.clearCookies()
    await next(page)
  }
  await expectStep(page, 4)
  await fillProgram(page, person)
  await context.clearCookies()
  await send(page)
  await expectThanks(page)
  const [arrived] = await arrivals(product.sandboxUrl, email)
  expect(arrived?.body.subId).toBe('Partner-7')
})

test('a wrong ZIP is reported at the field and above the form', async ({ page, email }) => {
  await page.goto('/business')
  await fillAboutYou(page, { ...ada, email })
  await next(page)
  await fillAddress(page, { ...ada, zip: '00000' })
  await next(page)
  await expectError(field(page, 'ZIP code'), 'Invalid zip code: please enter another value.')
  await expect(page.getByRole('group', { name: 'Unable to validate address' })).toBeFocused()
  await expect(field(page, 'Street address')).toHaveValue(ada.address)
})

test('with the address service down, the visitor enters city and state and continues', async ({
  page,
  product,
  email,
}) => {
  await page.goto('/business')
  await fillAboutYou(page, { ...ada, email })
  await next(page)
  await fillAddress(page, { ...ada, zip: '99999' })
  await next(page)
  await expect(page.getByText(/^Error validating address: /)).toBeVisible()
  await page.getByRole('link', { name: 'Go to City and State' }).press('Enter')
  await expect(field(page, 'City')).toBeFocused()
  await fillAddress(page, { address: '1 Sandbox-503 St', zip: '99501' })
  await next(page)
  await expect(field(page, 'City')).toHaveValue('Anchorage')
  await field(page, 'State').fill('Alabama')
  await next(page)
  await expect(page.getByRole('group', { name: 'ZIP code 99501 is in Alaska' })).toBeVisible()
  await field(page, 'State').fill('Alaska')
  await next(page)
  await finishFromEducation(page, ada)
  const [stored] = storedLeads(product.dataDir, email)
  expect(stored?.payload).toMatchObject({ addressVerified: false, city: 'Anchorage', state: 'AK' })
})
