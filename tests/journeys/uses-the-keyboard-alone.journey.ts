import { expect, type Locator, type Page } from '@playwright/test'
import { typeAheadResetMs } from '#content/ui-constants.ts'
import { arrivals } from '#tests/product/sandbox-ledger.ts'
import { ada } from './ada.ts'
import { comeBackTo } from './come-back-to.ts'
import { expectAttention } from './expect-attention.ts'
import {
  expectQuestionFocused,
  expectStep,
  expectThanks,
  field,
  fillAboutYou,
  fillAddress,
  fillProgram,
  fillYourEducation,
  goTo,
  next,
} from './fill-steps.ts'
import { listenIn } from './listen-in.ts'
import { test, visit } from './visit.ts'

/** Presses Tab until the control is focused. Fails if Tab does not reach the control or its focus is not visible. */
async function tabTo(page: Page, control: Locator) {
  for (let presses = 0; presses < 12; presses += 1) {
    await page.keyboard.press('Tab')
    const outline = page.locator(':focus').evaluate((element) => {
      const { outlineStyle, outlineWidth } = getComputedStyle(element)
      return `${outlineStyle} ${outlineWidth}`
    })
    expect(await outline).toBe('solid 3px')
    if (await control.evaluate((element) => element === document.activeElement)) return
  }
  await expect(control).toBeFocused({ timeout: 1 })
}

async function typeInto(page: Page, label: string, text: string) {
  await tabTo(page, field(page, label))
  await page.keyboard.type(text)
}

test('Enter continues only from an answered step', async ({ page, email }) => {
  await visit(page, '/business')
  await field(page, 'Email').press('Enter')
  await expectAttention(page, field(page, 'First name'))
  await expectStep(page, 1)
  await fillAboutYou(page, { ...ada, email })
  await field(page, 'Email').press('Enter')
  await expectStep(page, 2)

  await field(page, 'ZIP code').press('Enter')
  await expectAttention(page, field(page, 'Street address'))
  await expectStep(page, 2)
  await fillAddress(page, ada)
  await field(page, 'ZIP code').press('Enter')
  await expectStep(page, 3)

  await field(page, 'Graduation year').press('Enter')
  await expectAttention(page, field(page, 'Education level'))
  await expectStep(page, 3)
  await fillYourEducation(page, ada)
  await field(page, 'Graduation year').press('Enter')
  await expectStep(page, 4)
})

test('on the last step, Enter sends the enquiry only on the button', async ({ page, email }) => {
  const sent = listenIn(page, '/api/leads')
  await comeBackTo(page, 4, '/business', { ...ada, email })
  await fillProgram(page, ada)
  for (const control of [
    page.getByRole('checkbox'),
    field(page, 'Program'),
    field(page, 'Start date'),
  ]) {
    await control.press('Enter')
    await page.keyboard.press('Escape')
  }
  // This answer comes after the answers to everything that those keys could have sent.
  await page.evaluate(() => fetch('/healthz').then((reply) => reply.text()))
  await expectStep(page, 4)
  expect(sent).toHaveLength(0)
  await page.getByRole('button', { name: 'Agree & Continue' }).press('Enter')
  await expectThanks(page)
  expect(sent).toHaveLength(1)
})

test('an open list is 200 px high; Enter in it chooses an option and sends nothing', async ({
  page,
  email,
}) => {
  const sent = listenIn(page, '/api/leads')
  await comeBackTo(page, 4, '/business', { ...ada, email })
  await fillProgram(page, ada)
  await field(page, 'Program').press('Space')
  expect(
    await field(page, 'Program').evaluate(
      (list) => getComputedStyle(list, '::picker(select)').height,
    ),
  ).toBe('200px')
  // The first option takes a choice back. The list's label stays visible.
  await expect(field(page, 'Program').locator('option').first()).toBeVisible()
  const label = page.locator('label', { hasText: /^Program$/ })
  const isInSight = await label.evaluate((element) => {
    const { left, right, top, bottom } = element.getBoundingClientRect()
    return document.elementFromPoint((left + right) / 2, (top + bottom) / 2) === element
  })
  expect(isInSight).toBe(true)
  await page.keyboard.press('Escape')
  await field(page, 'Start date').press('Space')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(field(page, 'Start date')).toHaveValue('one-to-three-months')
  await page.evaluate(() => fetch('/healthz').then((reply) => reply.text()))
  await expectStep(page, 4)
  expect(sent).toHaveLength(0)
})

test('a visitor completes an enquiry with the keyboard alone', async ({ page, product, email }) => {
  await visit(page, '/business')
  await typeInto(page, 'First name', ada.firstName)
  await typeInto(page, 'Last name', ada.lastName)
  await typeInto(page, 'Phone', ada.phone)
  await typeInto(page, 'Email', email)
  await page.keyboard.press('Enter')

  await expectQuestionFocused(page, 2)
  await typeInto(page, 'Street address', ada.address)
  await typeInto(page, 'ZIP code', ada.zip)
  await tabTo(page, page.getByRole('button', { name: 'Next' }))
  await page.keyboard.press('Space')

  await expectQuestionFocused(page, 3)
  await typeInto(page, 'Education level', 'B')
  await typeInto(page, 'Graduation year', ada.graduationYear)
  await page.keyboard.press('Enter')

  await expectQuestionFocused(page, 4)
  await typeInto(page, 'Program', 'M')
  await tabTo(page, field(page, 'Start date'))
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(field(page, 'Start date')).not.toHaveValue('')
  await tabTo(page, page.getByRole('checkbox'))
  await page.keyboard.press('Space')
  await tabTo(page, page.getByRole('button', { name: 'Agree & Continue' }))
  await page.keyboard.press('Enter')

  await expectThanks(page)
  await expect(page.getByRole('heading', { name: 'Information Received' })).toBeFocused()
  const [arrived] = await arrivals(product.sandboxUrl, email)
  expect(arrived?.body.lead_education).toMatchObject({ education_level_id: 791, program_id: 8 })
})

test('a visitor can type letters slowly to search a list', async ({ page }) => {
  await visit(page, '/education')
  await goTo(page, 2)
  await expectStep(page, 3)
  await fillYourEducation(page, ada)
  await next(page)
  await expectStep(page, 4)
  const chosen = () =>
    field(page, 'Program').evaluate((list) => (list as HTMLSelectElement).selectedOptions[0]?.text)
  await field(page, 'Program').focus()
  await page.keyboard.type('b')
  expect(await chosen()).toMatch(/^B\.A\. /)
  // The keys are slower than the type-ahead's 250 ms. No program begins with a dot or an S.
  await page.keyboard.type('.s', { delay: 2 * typeAheadResetMs })
  expect(await chosen()).toMatch(/^B\.S\. /)
})

for (const { text, delay, program } of [
  { text: 'm.s. nursing - i', delay: 270, program: 'M.S. Nursing – Informatics (BSN to MSN)' },
  { text: 'B.S. Health a', delay: 500, program: 'B.S. Health and Human Services' },
  { text: 'informatics', delay: 20, program: 'M.S. Nursing – Informatics (BSN to MSN)' },
  { text: 'psych', delay: 270, program: 'M.S. Nursing – Psychiatric Mental Health NP' },
  { text: 'rn to b', delay: 20, program: 'B.S. Nursing (RN to BSN)' },
]) {
  test(`a visitor finds a program by typing "${text}" with ${delay} ms between the keys`, async ({
    page,
  }) => {
    await visit(page, '/healthcare')
    await goTo(page, 2)
    await fillYourEducation(page, { ...ada, educationLevel: 'Bachelor’s degree' })
    await next(page)
    await expectStep(page, 4)
    const list = field(page, 'Program')
    const chosen = () =>
      list.evaluate((select) => (select as HTMLSelectElement).selectedOptions[0]?.text)
    const isOpen = () => list.evaluate((select) => select.matches(':open'))
    // Slow typing takes seconds, so it is tried in the open list alone, where a Space could choose.
    if (delay < 100) {
      await list.focus()
      await page.keyboard.type(text, { delay })
      expect(await chosen()).toBe(program)
      expect(await isOpen()).toBe(false)
      await page.keyboard.press('Tab')
    }
    await list.focus()
    await page.keyboard.press('Space')
    expect(await isOpen()).toBe(true)
    await page.keyboard.type(text, { delay })
    expect(await isOpen()).toBe(true)
    await page.keyboard.press('Enter')
    expect(await chosen()).toBe(program)
  })
}

test('letters of a word that no program has choose no other program', async ({ page }) => {
  await visit(page, '/technology')
  await goTo(page, 2)
  await fillYourEducation(page, { ...ada, educationLevel: 'Master’s degree' })
  await next(page)
  await expectStep(page, 4)
  const list = field(page, 'Program')
  for (const { delay, text } of [
    { delay: 20, text: 'cysad' },
    { delay: 300, text: 'cyd' },
  ]) {
    await list.selectOption('')
    await page.keyboard.press('Tab')
    await list.focus()
    await page.keyboard.type(text, { delay })
    expect(
      await list.evaluate((select) => (select as HTMLSelectElement).selectedOptions[0]?.text),
    ).toBe('M.S. Cybersecurity and Information Assurance')
  }
})

test('a screen reader reads a tip when it opens, and closing it returns the focus', async ({
  page,
}) => {
  await visit(page, '/business')
  await goTo(page, 2)
  await expectQuestionFocused(page, 3)
  const question = page.getByRole('button', { name: 'Why we ask' })
  await tabTo(page, question)
  await page.keyboard.press('Enter')
  const tip = page.getByRole('tooltip', { name: /which programs are open to you/ })
  await expect(tip).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(tip).toBeHidden()
  await expect(question).toBeFocused()
})

test('a visitor who holds Enter down goes one step', async ({ page, email }) => {
  await visit(page, '/business')
  await fillAboutYou(page, { ...ada, email })
  const hold = async () => {
    for (let repeat = 0; repeat < 5; repeat++) await page.keyboard.down('Enter')
  }
  await field(page, 'Email').focus()
  await hold()
  await expectStep(page, 2)
  await hold()
  await page.keyboard.up('Enter')
  await expectQuestionFocused(page, 2)
  await expect(page.locator('[data-summary]')).toBeHidden()
})

test('Next points out a likely typo in the email', async ({ page }) => {
  await visit(page, '/business')
  await fillAboutYou(page, { ...ada, email: 'ada@gmail.co' })
  await field(page, 'Email').press('Enter')
  await expect(page.getByRole('group', { name: 'Did you mean ada@gmail.com?' })).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(page.getByRole('button', { name: 'Use ada@gmail.com' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expectQuestionFocused(page, 2)
})

test('the skip link leads past the header', async ({ page }) => {
  await visit(page, '/business')
  await page.keyboard.press('Tab')
  const skip = page.getByRole('link', { name: 'Skip to main content' })
  await expect(skip).toBeFocused()
  await expect(skip).toBeInViewport()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  const programs = page.getByRole('link', { name: /^See all \d+ business programs$/ })
  await expect(programs).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(field(page, 'First name')).toBeFocused()
})
