import { expect, type Locator, type Page } from '@playwright/test'
import { ada } from './ada.ts'
import { comeBackTo } from './come-back-to.ts'
import { expectError } from './expect-error.ts'
import { expectStep, field, fillAboutYou, fillAddress, next } from './fill-steps.ts'
import { test, visit } from './visit.ts'

const caret = (input: Locator) =>
  input.evaluate((element) => (element as HTMLInputElement).selectionStart)

const putCaret = (input: Locator, offset: number) =>
  input.evaluate((element, at) => (element as HTMLInputElement).setSelectionRange(at, at), offset)

test('the form formats a phone number while the visitor types, and takes ten digits', async ({
  page,
}) => {
  await visit(page)
  const phone = field(page, 'Phone')
  await phone.pressSequentially('941')
  await expect(phone).toHaveValue('(941')
  await phone.pressSequentially('5')
  await expect(phone).toHaveValue('(941) 5')
  await phone.pressSequentially('55x01-00')
  await expect(phone).toHaveValue('(941) 555-0100')
  await phone.pressSequentially('92')
  await expect(phone).toHaveValue('(941) 555-0100')
  await putCaret(phone, 3)
  await phone.press('7')
  await expect(phone).toHaveValue('(941) 555-0100')
  expect(await caret(phone)).toBe(3)
})

test('surplus digits that are pasted, composed or filled in stay visible with an error', async ({
  page,
  email,
}) => {
  const expectSurplus = async (label: string, text: string, error: string) => {
    await expect(field(page, label)).toHaveValue(text)
    await next(page)
    await expectError(field(page, label), error)
    await expect(field(page, label)).toHaveValue(text)
  }
  const noPhone = 'Enter a 10-digit U.S. number.'
  await visit(page, '/business')
  await fillAboutYou(page, { ...ada, email, phone: '' })
  const phone = field(page, 'Phone')
  await phone.pressSequentially('941555')
  await copy(field(page, 'First name'), '010077')
  await phone.press('End')
  await phone.press('ControlOrMeta+v')
  await field(page, 'First name').fill(ada.firstName)
  await expectSurplus('Phone', '(941) 555-010077', noPhone)
  await fillSilently(page, 'Phone', '+1 941 555 0100 ext 5')
  await expectSurplus('Phone', '+1 941 555 0100 ext 5', noPhone)
  await phone.fill('')
  await compose(page, '９４１５５５０１００７')
  await expectSurplus('Phone', '(941) 555-01007', noPhone)
  await phone.fill(ada.phone)
  await next(page)
  await expectStep(page, 2)
  await fillAddress(page, { ...ada, zip: '3423677' })
  await expectSurplus('ZIP code', '3423677', 'Enter the 5 digits of your ZIP code.')
})

test('when the visitor deletes and types in the middle, the caret keeps its place', async ({
  page,
}) => {
  await visit(page)
  const phone = field(page, 'Phone')
  await phone.pressSequentially('9415550100')
  // The caret is set after the script has formatted the number.
  await expect(phone).toHaveValue('(941) 555-0100')
  await putCaret(phone, 3)
  await phone.press('Delete')
  await expect(phone).toHaveValue('(945) 550-100')
  expect(await caret(phone)).toBe(3)
  await phone.press('2')
  await expect(phone).toHaveValue('(942) 555-0100')
  expect(await caret(phone)).toBe(4)

  // The caret is behind the bracket and the space, so Backspace deletes the digit before them.
  await putCaret(phone, 6)
  await phone.press('Backspace')
  await expect(phone).toHaveValue('(945) 550-100')
  expect(await caret(phone)).toBe(3)
})

/** Copies text from a field without formatting, as from another program. */
async function copy(from: Locator, text: string) {
  await from.fill(text)
  await from.press('ControlOrMeta+a')
  await from.press('ControlOrMeta+x')
}

/** Types like an input method, whose text grows until it is confirmed. */
async function compose(page: Page, text: string) {
  const devTools = await page.context().newCDPSession(page)
  for (let length = 1; length <= text.length; length++) {
    const composed = { text: text.slice(0, length), selectionStart: length, selectionEnd: length }
    await devTools.send('Input.imeSetComposition', composed)
  }
  await devTools.send('Input.insertText', { text })
}

const fillSilently = (page: Page, label: string, text: string) =>
  field(page, label).evaluate((input, value) => {
    ;(input as HTMLInputElement).value = value
    input.dispatchEvent(new Event('change', { bubbles: true }))
  }, text)

test('the ZIP field accepts only digits, typed or pasted, and keeps the caret', async ({
  page,
  email,
}) => {
  await comeBackTo(page, 2, '/business', { ...ada, email })
  const zip = field(page, 'ZIP code')
  await zip.pressSequentially('a3b4 2-3.6x')
  await expect(zip).toHaveValue('34236')
  await zip.pressSequentially('-5')
  await expect(zip).toHaveValue('34236')
  await putCaret(zip, 2)
  await zip.press('Delete')
  await expect(zip).toHaveValue('3436')
  await zip.press('x')
  expect(await caret(zip)).toBe(2)
  await zip.press('2')
  await expect(zip).toHaveValue('34236')
  expect(await caret(zip)).toBe(3)

  for (const text of ['34236-5610', ' 34236', '34236 ', 'FL 34236']) {
    await copy(field(page, 'Street address'), text)
    await zip.press('ControlOrMeta+a')
    await zip.press('ControlOrMeta+v')
    await expect(zip).toHaveValue('34236')
  }
  await copy(field(page, 'Street address'), ' 2-3 ')
  await zip.fill('346')
  await putCaret(zip, 2)
  await zip.press('ControlOrMeta+v')
  await expect(zip).toHaveValue('34236')
  expect(await caret(zip)).toBe(4)

  await zip.fill('')
  await compose(page, '３４２３６')
  await expect(zip).toHaveValue('34236')
  await expect(page.getByText('Sarasota, FL')).toBeVisible()
  await field(page, 'Street address').fill(ada.address)
  await next(page)
  await expectStep(page, 3)

  const year = field(page, 'Graduation year')
  await year.pressSequentially('May 20123')
  await expect(year).toHaveValue('20123')
})

test('on Next, the form formats autofill that fired only a change event', async ({
  page,
  email,
}) => {
  await visit(page, '/business')
  await fillAboutYou(page, { ...ada, email, phone: '' })
  await fillSilently(page, 'Phone', '+1 941 555 0100')
  await fillSilently(page, 'First name', 'Mary\tAnn')
  await next(page)
  await expectStep(page, 2)
  await fillAddress(page, ada)
  await fillSilently(page, 'ZIP code', '99501-1234')
  await expect(page.getByText('Anchorage, AK')).toBeVisible()
  await fillSilently(page, 'ZIP code', '34236-5610')
  await expect(page.getByText('Sarasota, FL')).toBeVisible()
  await next(page)
  await expectStep(page, 3)
  await page.goBack()
  await expect(field(page, 'ZIP code')).toHaveValue('34236')
  await page.goBack()
  await expect(field(page, 'Phone')).toHaveValue('(941) 555-0100')
  expect(await field(page, 'First name').inputValue()).toBe('Mary Ann')
})

test('the visitor can paste a phone number in any format', async ({ page }) => {
  await visit(page)
  await copy(field(page, 'First name'), '+1 941.555.0100')
  await field(page, 'Phone').press('ControlOrMeta+v')
  await expect(field(page, 'Phone')).toHaveValue('(941) 555-0100')
})
