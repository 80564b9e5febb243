import { expect, type Page } from '@playwright/test'
import { storedLeads } from '#tests/product/stored-leads.ts'
import { ada } from './ada.ts'
import { comeBackTo } from './come-back-to.ts'
import { expectAttention } from './expect-attention.ts'
import { expectError } from './expect-error.ts'
import {
  back,
  expectStep,
  field,
  fillAboutYou,
  fillAddress,
  fillProgram,
  fillYourEducation,
  next,
  send,
} from './fill-steps.ts'
import { listenIn } from './listen-in.ts'
import { test, visit } from './visit.ts'

const latestYear = new Date().getUTCFullYear() + 10
const yearRange = `Enter a year from 1990 to ${latestYear}.`

const toStep = (page: Page, step: 1 | 2 | 3 | 4, email: string) =>
  step === 1 ? visit(page, '/business') : comeBackTo(page, step, '/business', { ...ada, email })

test('an empty step 1 says what each field needs, and keeps half-typed answers', async ({
  page,
  email,
}) => {
  await toStep(page, 1, email)
  await next(page)
  await expectAttention(page, field(page, 'First name'))
  await expectError(field(page, 'First name'), 'Enter your first name.')
  await expectError(field(page, 'Last name'), 'Enter your last name.')
  await expectError(field(page, 'Phone'), 'Enter your phone number.')
  await expectError(field(page, 'Email'), 'Enter your email address.')
  await expectStep(page, 1)

  await fillAboutYou(page, { ...ada, email: 'ada@', phone: '941555010' })
  await next(page)
  await expectAttention(page, field(page, 'Phone'))
  await expectError(field(page, 'Phone'), 'Enter a 10-digit U.S. number.')
  await expectError(field(page, 'Email'), 'Enter it like name@example.com.')
  await expect(field(page, 'First name')).toHaveValue(ada.firstName)
  await expect(field(page, 'Last name')).toHaveValue(ada.lastName)
  await expect(field(page, 'Phone')).toHaveValue('(941) 555-010')
  await expect(field(page, 'Email')).toHaveValue('ada@')
  await expect(field(page, 'First name')).not.toHaveAttribute('aria-invalid', 'true')

  // The message disappears as soon as the field is changed.
  await field(page, 'Phone').press('End')
  await field(page, 'Phone').pressSequentially('0')
  await expect(field(page, 'Phone')).not.toHaveAttribute('aria-invalid', 'true')
  await expect(field(page, 'Email')).toHaveAttribute('aria-invalid', 'true')

  // Spaces alone are no name.
  await fillAboutYou(page, { ...ada, email, lastName: '   ' })
  await next(page)
  await expectAttention(page, field(page, 'Last name'))
  await expectError(field(page, 'Last name'), 'Enter your last name.')
})

test('step 2 needs a street and five digits', async ({ page, email }) => {
  const checks = listenIn(page, '/api/zip-lookups/')
  await toStep(page, 2, email)
  await next(page)
  await expectAttention(page, field(page, 'Street address'))
  await expectError(field(page, 'Street address'), 'Enter your street address.')
  await expectError(field(page, 'ZIP code'), 'Enter your ZIP code.')

  await fillAddress(page, { ...ada, zip: '3423' })
  await next(page)
  await expectAttention(page, field(page, 'ZIP code'))
  await expectError(field(page, 'ZIP code'), 'Enter the 5 digits of your ZIP code.')
  await expect(field(page, 'Street address')).toHaveValue(ada.address)
  expect(checks).toHaveLength(0)
})

test('an empty step 3 says what each field needs, and accepts only certain years', async ({
  page,
  email,
}) => {
  await toStep(page, 3, email)
  await next(page)
  await expectAttention(page, field(page, 'Education level'))
  await expectError(field(page, 'Education level'), 'Choose your education level.')
  await expectError(field(page, 'Graduation year'), 'Enter your graduation year.')

  for (const [year, message] of [
    ['1989', yearRange],
    [String(latestYear + 1), yearRange],
    ['201', 'Enter the year with 4 digits, like 2012.'],
  ] as const) {
    await fillYourEducation(page, { ...ada, graduationYear: year })
    await next(page)
    await expectAttention(page, field(page, 'Graduation year'))
    await expectError(field(page, 'Graduation year'), message)
    await expect(field(page, 'Graduation year')).toHaveValue(year)
    await expect(field(page, 'Education level')).toHaveValue('791')
  }
  for (const year of ['1990', String(latestYear)]) {
    await fillYourEducation(page, { ...ada, graduationYear: year })
    await next(page)
    await expectStep(page, 4)
    await back(page)
    await expectStep(page, 3)
  }
})

test('an empty step 4 says what each field needs, and sends nothing', async ({
  page,
  product,
  email,
}) => {
  const sent = listenIn(page, '/api/leads')
  await toStep(page, 4, email)
  await send(page)
  await expectAttention(page, field(page, 'Program'))
  await expectError(field(page, 'Program'), 'Choose a program.')
  await expectError(field(page, 'Start date'), 'Choose a start date.')
  await expectError(
    page.getByRole('checkbox'),
    'Check the box to agree, so that the school may contact you.',
  )

  await fillProgram(page, ada)
  await page.getByRole('checkbox').uncheck()
  await send(page)
  await expectAttention(page, page.getByRole('checkbox'))
  await expect(field(page, 'Program')).toHaveValue('8')
  await expect(field(page, 'Start date')).toHaveValue('immediately')
  expect(sent).toHaveLength(0)
  expect(storedLeads(product.dataDir, email)).toEqual([])
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 664 }, hasTouch: true })

  const summary = (page: Page) => page.getByRole('group', { name: /^(Still needed|Please check)$/ })
  const heightOfForm = (page: Page) =>
    page.locator('form[data-step]').evaluate((form) => form.clientHeight)

  test('a corrected error leaves no hole once the focus has left its field, and the last one ends the summary', async ({
    page,
    email,
  }) => {
    await toStep(page, 1, email)
    const before = await heightOfForm(page)
    await next(page)
    await expect(summary(page)).toBeFocused()
    // Half a phone number corrects nothing.
    await field(page, 'Phone').pressSequentially('941')
    await page.keyboard.press('Tab')
    await expectError(field(page, 'Phone'), 'Enter your phone number.')

    for (const [label, text] of [
      ['First name', 'Bo'],
      ['Phone', '6145550142'],
      ['Email', email],
    ] as const) {
      const stood = await heightOfForm(page)
      await field(page, label).fill('')
      await field(page, label).pressSequentially(text)
      await expect(field(page, label)).not.toHaveAttribute('aria-invalid', 'true')
      expect(await heightOfForm(page), `${label}, typed`).toBe(stood)
      await page.keyboard.press('Tab')
      await expect.poll(() => heightOfForm(page), label).toBeLessThanOrEqual(stood)
      await expect(summary(page)).toHaveCount(1)
    }
    await field(page, 'Last name').fill('Li')
    await page.keyboard.press('Shift+Tab')
    await expect(summary(page)).toHaveCount(0)
    await expect.poll(() => heightOfForm(page)).toBe(before)
  })

  for (const press of ['mouse', 'touch'] as const) {
    test(`a press on Next after a correction lands on Next by ${press}`, async ({
      page,
      email,
    }) => {
      await toStep(page, 1, email)
      await fillAboutYou(page, { ...ada, email })
      await field(page, 'First name').fill('')
      await field(page, 'Last name').fill('')
      await next(page)
      await field(page, 'Last name').fill('Li')
      await field(page, 'First name').fill('Bo')
      const button = page.getByRole('button', { name: 'Next', exact: true })
      await button.scrollIntoViewIfNeeded()
      const box = await button.boundingBox()
      if (box === null) throw new Error('it is not shown')
      // One pixel above the button's foot, so that a move of two pixels would lose the press.
      const [x, y] = [box.x + box.width / 2, box.y + box.height - 1] as const
      if (press === 'touch') await page.touchscreen.tap(x, y)
      else {
        await page.mouse.move(x, y)
        await page.mouse.down()
        await expect(button).toBeFocused()
        await page.evaluate(
          () => new Promise((done) => setTimeout(() => requestAnimationFrame(done))),
        )
        expect(await button.boundingBox()).toEqual(box)
        await page.mouse.up()
      }
      await expectStep(page, 2)
    })
  }

  test('a single error has one message, at its focused field', async ({ page, email }) => {
    await toStep(page, 3, email)
    await fillYourEducation(page, { ...ada, graduationYear: '1812' })
    await next(page)
    await expect(field(page, 'Graduation year')).toBeFocused()
    await expectError(field(page, 'Graduation year'), yearRange)
    await expect(page.getByText(yearRange)).toHaveCount(1)
    await expect(summary(page)).toHaveCount(0)
  })
})
