import { expect, type Locator } from '@playwright/test'
import { field } from './fill-steps.ts'
import { test, visit } from './visit.ts'

const caret = (input: Locator) =>
  input.evaluate((element) => (element as HTMLInputElement).selectionStart)

const putCaret = (input: Locator, offset: number) =>
  input.evaluate((element, at) => (element as HTMLInputElement).setSelectionRange(at, at), offset)

test('a phone number is formatted as it is typed, and takes ten digits', async ({ page }) => {
  await visit(page)
  const phone = field(page, 'Phone')
  await phone.pressSequentially('941')
  await expect(phone).toHaveValue('(941')
  await phone.pressSequentially('5')
  await expect(phone).toHaveValue('(941) 5')
  await phone.pressSequentially('55x01-00')
  await expect(phone).toHaveValue('(941) 555-0100')
  await phone.pressSequentially('9')
  await expect(phone).toHaveValue('(941) 555-0100')
})

test('deleting and typing in the middle keeps the caret in its place', async ({ page }) => {
  await visit(page)
  const phone = field(page, 'Phone')
  await phone.pressSequentially('9415550100')
  await putCaret(phone, 3)
  await phone.press('Delete')
  await expect(phone).toHaveValue('(945) 550-100')
  expect(await caret(phone)).toBe(3)
  await phone.press('2')
  await expect(phone).toHaveValue('(942) 555-0100')
  expect(await caret(phone)).toBe(4)

  // Behind the bracket and the space: the digit before them goes.
  await putCaret(phone, 6)
  await phone.press('Backspace')
  await expect(phone).toHaveValue('(945) 550-100')
  expect(await caret(phone)).toBe(3)
})

test('a phone number can be pasted as it stands elsewhere', async ({ page }) => {
  await visit(page)
  await field(page, 'First name').fill('+1 941.555.0100')
  await field(page, 'First name').press('ControlOrMeta+a')
  await field(page, 'First name').press('ControlOrMeta+x')
  await field(page, 'Phone').press('ControlOrMeta+v')
  await expect(field(page, 'Phone')).toHaveValue('(941) 555-0100')
})
