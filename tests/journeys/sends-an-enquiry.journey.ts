import { expect } from '@playwright/test'
import { arrivals } from '#tests/product/sandbox-ledger.ts'
import { storedLeads } from '#tests/product/stored-leads.ts'
import { ada } from './ada.ts'
import { comeBackTo } from './come-back-to.ts'
import { expectThanks, fillAll, fillProgram, send } from './fill-steps.ts'
import { leadAsSent } from './lead-as-sent.ts'
import { test, visit } from './visit.ts'

const grace = {
  ...ada,
  firstName: 'Grace',
  lastName: "O'Neill-Hopper",
  phone: '3055550101',
  address: '600 Biscayne Blvd',
  zip: '33132',
  educationLevel: 'Associate degree',
  graduationYear: '1990',
  program: 'B.S. Nursing (RN to BSN)',
}

const enquiries = [
  {
    area: 'healthcare',
    person: grace,
    sent: {
      city: 'Miami',
      state: 'FL',
      levelId: 790,
      programId: 15,
      rnLicense: 'TRUE',
      teachingLicense: 'No',
    },
  },
  {
    area: 'education',
    person: {
      ...ada,
      firstName: 'José',
      lastName: 'Nuñez',
      phone: '3125550102',
      address: '120 S Riverside Plaza Apt 4B',
      zip: '60601',
      graduationYear: String(new Date().getUTCFullYear()),
      program: 'M.A.T. Elementary Ed',
      startDate: 'In 4–6 months',
    },
    sent: {
      city: 'Chicago',
      state: 'IL',
      levelId: 791,
      programId: 53,
      rnLicense: 'FALSE',
      teachingLicense: 'Yes',
    },
  },
  {
    area: 'business',
    person: { ...ada, educationLevel: 'Master’s degree' },
    sent: {
      city: 'Sarasota',
      state: 'FL',
      levelId: 792,
      programId: 8,
      rnLicense: 'FALSE',
      teachingLicense: 'No',
    },
  },
] as const

for (const { area, person: typed, sent } of enquiries) {
  test(`a visitor of the ${area} page sends one lead`, async ({ page, product, email }) => {
    const person = { ...typed, email }
    await visit(page, `/${area}?AFFID=Partner-7`)
    await fillAll(page, person)
    await send(page)
    await expectThanks(page)
    await expect(
      page.getByText(
        'We have received your submission. Someone from the school will contact you soon. If you have asked not to be contacted, that still stands.',
      ),
    ).toBeVisible()

    const [stored, ...others] = storedLeads(product.dataDir, email)
    expect(others).toEqual([])
    const [arrived] = await arrivals(product.sandboxUrl, email)
    expect(arrived?.body).toStrictEqual(
      leadAsSent(product, person, { ...sent, subId: 'Partner-7' }),
    )
    expect(arrived?.headers['idempotency-key']).toBe(stored?.id)
    expect(arrived?.countForLead).toBe(1)
  })
}

test('the lead of a visitor without an affiliate has no affiliate id', async ({
  page,
  product,
  email,
}) => {
  await comeBackTo(page, 4, '/', { ...ada, email })
  await fillProgram(page, ada)
  await send(page)
  await expectThanks(page)
  const [arrived] = await arrivals(product.sandboxUrl, email)
  expect(arrived?.body).not.toHaveProperty('subId')
})

test('an affiliate id on a legal page stays with the visitor', async ({ page, product, email }) => {
  await page.goto('/information/privacy-policy?AFFID=Partner-7')
  await comeBackTo(page, 4, '/business', { ...ada, email })
  await fillProgram(page, ada)
  await send(page)
  await expectThanks(page)
  const [arrived] = await arrivals(product.sandboxUrl, email)
  expect(arrived?.body.subId).toBe('Partner-7')
})

test('a newer affiliate id replaces the first, and stays on pages without one', async ({
  page,
  product,
  email,
}) => {
  await visit(page, '/healthcare?Affid=Partner-7')
  await visit(page, '/technology?affid=Partner-8')
  await comeBackTo(page, 4, '/business', { ...ada, email })
  await fillProgram(page, ada)
  await send(page)
  await expectThanks(page)
  const [arrived] = await arrivals(product.sandboxUrl, email)
  expect(arrived?.body.subId).toBe('Partner-8')
})

test('on a phone, the thank-you screen starts at the top of the page', async ({ page, email }) => {
  await page.setViewportSize({ width: 390, height: 664 })
  await comeBackTo(page, 4, '/business', { ...ada, email })
  await fillProgram(page, ada)
  // So far down, the window shows the heading without the check mark above it.
  await page.evaluate(() => scrollTo(0, 120))
  await send(page)
  await expect(page.getByRole('heading', { name: 'Information Received' })).toBeFocused()
  expect(await page.evaluate(() => scrollY)).toBe(0)
})
