import { expect, type Locator, type Page } from '@playwright/test'
import { ada } from './ada.ts'
import { comeBackTo } from './come-back-to.ts'
import { back, expectStep, field, fillAboutYou, fillAddress, next } from './fill-steps.ts'
import { PlainBrowser } from './plain-browser.ts'
import { test, visit } from './visit.ts'

const question = (page: Page) => page.locator('form [role=group]')
const answers = (page: Page) => question(page).locator('a, button:not([aria-hidden])')
const background = (element: Locator) =>
  element.evaluate((shown) => getComputedStyle(shown).backgroundColor)

/** Expects that the question is focused, has these answers in this order, and fills only the first one. */
async function expectAsked(page: Page, texts: readonly string[]) {
  await expect(question(page)).toBeFocused()
  await expect(answers(page)).toHaveText([...texts])
  await expect(page.getByRole('button', { name: 'Next', exact: true })).toHaveCount(0)
  const [filled, ...others] = await Promise.all((await answers(page).all()).map(background))
  expect(others).not.toContain(filled)
}

const contact = [
  { typed: { email: 'maria@gmial.com' }, texts: ['Use maria@gmail.com', 'Keep what I typed'] },
  { typed: { email: 'li@hotmial.com', phone: '2120550142' } },
  { typed: { phone: '0125550142' }, texts: ['Let me correct it', 'Keep what I typed'] },
].map(({ texts = ['Use li@hotmail.com', 'Keep what I typed'], typed }) => ({ texts, typed }))

const addresses = [
  { address: '7 REPLACE Rd', texts: ['Use 7 Replaced Rd', 'Keep what I typed'] },
  { address: '7 NOUNIT Rd', texts: ['Add it', 'My address has no unit'] },
  { address: '7 REPLACE NOUNIT Rd', texts: ['Use 7 Replaced NOUNIT Rd', 'Keep what I typed'] },
  { address: '7 UNKNOWN Rd', texts: ['Let me correct it', 'Keep what I typed'] },
]

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? 'with JavaScript' : 'without JavaScript', () => {
    test.use({ javaScriptEnabled })

    test('the correction comes first, and Enter in a field decides nothing', async ({
      page,
      email,
    }) => {
      const open = (path: string) => (javaScriptEnabled ? visit(page, path) : page.goto(path))
      await open('/technology')
      for (const { typed, texts } of contact) {
        await fillAboutYou(page, { ...ada, email, ...typed })
        await next(page)
        await expectAsked(page, texts)
        for (const label of ['Last name', 'Email']) {
          await field(page, label).press('Enter')
          await expectAsked(page, texts)
        }
        await answers(page).last().click()
        await expectStep(page, 2)
        await back(page)
        await expectStep(page, 1)
      }
      await next(page)
      await expectStep(page, 2)
      for (const { address, texts } of addresses) {
        await fillAddress(page, { address, zip: '34236' })
        await next(page)
        await expectAsked(page, texts)
        await field(page, 'ZIP code').press('Enter')
        await expectAsked(page, texts)
        await answers(page).last().click()
        await expectStep(page, 3)
        await back(page)
        await expect(field(page, 'Street address')).toHaveValue(address)
      }
    })
  })
}

test('a visitor who corrects the number is offered Next again', async ({ page, email }) => {
  await visit(page, '/business')
  await fillAboutYou(page, { ...ada, email, phone: '1111111111' })
  await next(page)
  await page.getByRole('link', { name: 'Let me correct it' }).click()
  await expect(field(page, 'Phone')).toBeFocused()
  await field(page, 'Phone').fill('6145550142')
  await expect(question(page)).toHaveCount(0)
  await next(page)
  await expectStep(page, 2)
})

test('a correction stands in its field while the form still asks about another', async ({
  page,
  email,
}) => {
  await visit(page, '/education')
  await fillAboutYou(page, { ...ada, email, phone: '0175550142' })
  await field(page, 'Email').fill('rosa@yaho.com')
  await next(page)
  await page.getByRole('button', { name: 'Use rosa@yahoo.com' }).click()
  await expect(question(page)).toContainText('Is (017) 555-0142 right?')
  await expect(field(page, 'Email')).toHaveValue('rosa@yahoo.com')
  await answers(page).last().click()
  await expectStep(page, 2)
})

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? 'with JavaScript' : 'without JavaScript', () => {
    test.use({ javaScriptEnabled })

    test('the button that adds a unit needs a unit', async ({ page, email }) => {
      if (javaScriptEnabled) await visit(page, '/general')
      else await page.goto('/general')
      await fillAboutYou(page, { ...ada, email })
      await next(page)
      await fillAddress(page, { address: '9 NOUNIT Ave', zip: '34236' })
      await next(page)
      await expectAsked(page, ['Add it', 'My address has no unit'])
      await page.getByRole('button', { name: 'Add it' }).click()
      await expectAsked(page, ['Add it', 'My address has no unit'])
      await field(page, 'Apartment or unit').fill('7C')
      await page.getByRole('button', { name: 'Add it' }).click()
      await expectStep(page, 3)
      await back(page)
      await expect(field(page, 'Street address')).toHaveValue('9 NOUNIT Ave Unit 7C')
    })
  })
}

test('without JavaScript, Enter after a correction continues', async ({ product, email }) => {
  const plain = new PlainBrowser(product.url)
  await plain.goto('/')
  plain.answer('about-you', { ...ada, email: 'maria@gmial.com', phone: '6145550142' })
  await plain.press('Next')
  expect(plain.asked).toBe('Did you mean maria@gmail.com?')
  plain.fill('Email', email)
  await plain.press('Email')
  plain.expectStep(2)
})

test('a unit that Enter adds does not decide about the street', async ({
  page,
  product,
  email,
}) => {
  await comeBackTo(page, 2, '/business', { ...ada, email })
  await fillAddress(page, { address: '7 REPLACE NOUNIT Rd', zip: '34236' })
  await next(page)
  await field(page, 'Apartment or unit').fill('12')
  await field(page, 'Apartment or unit').press('Enter')
  await expectStep(page, 2)
  await expect(field(page, 'Street address')).toHaveValue('7 REPLACE NOUNIT Rd Unit 12')
  await expect(question(page)).toContainText('Did you mean 7 Replaced NOUNIT Rd Unit 12?')

  const plain = new PlainBrowser(product.url)
  await plain.goto('/business')
  await plain.fillToStep(2, { ...ada, email })
  plain.answer('address', { ...ada, address: '7 REPLACE NOUNIT Rd' })
  await plain.press('Next')
  plain.fill('Apartment or unit', '12')
  await plain.press('Apartment or unit')
  plain.expectStep(2)
  expect(plain.value('Street address')).toBe('7 REPLACE NOUNIT Rd Unit 12')
})
