import { expect, test } from 'vitest'
import { type Answers, emptyAnswers } from '#domain/enquiry/answers.ts'
import { steps } from '#domain/enquiry/enquiry.ts'
import { findStepErrors, normalizeAnswers } from '#domain/enquiry/rules.ts'
import { asSent, facts } from '#tests/enquiry/as-sent.ts'

const asTyped = (text: string): [string, string] => [text, text]

test.each([
  asTyped("O'Brien"),
  asTyped('O’Brien'),
  asTyped('Kamakaʻeha'),
  asTyped('D’Angelo-Smith'),
  asTyped('X'),
  asTyped('van der Berg y Vega'),
  asTyped('Downey Jr.'),
  asTyped('King, III'),
  asTyped('Núñez'),
  asTyped('Þórðarson'),
  asTyped('Nguyễn'),
  asTyped('李'),
  asTyped('山田'),
  asTyped('김'),
  asTyped('محمد'),
  asTyped('שרה'),
  asTyped('สมหญิง'),
  asTyped('प्रिया'),
  asTyped('می‌خواهم'),
  asTyped('Σοφία'),
  asTyped('-'),
  ['  Lovelace  ', 'Lovelace'],
  ['Mary\tAnn', 'Mary Ann'],
  ['Mary\u00A0\u202F Ann', 'Mary Ann'],
  ['山田\u3000花子', '山田 花子'],
  ['\u202EAda\u202C', 'Ada'],
  ['Love\u00ADlace\u200B', 'Lovelace'],
  ['A\u0000d\u009Ba\u{E0041}', 'Ada'],
  ['علی\u200Cرضا', 'علی\u200Cرضا'],
  ['Nu\u0303n\u0303ez', 'Nũñez'],
])('the name %j is sent as %j', (typed, sent) => {
  expect(asSent({ firstName: typed, lastName: typed }).lead).toMatchObject({
    firstname: sent,
    lastname: sent,
  })
})

test.each([
  ['(941) 555-0100'],
  ['9415550100'],
  ['941.555.0100'],
  ['941-555-0100'],
  ['941 555 0100'],
  ['941/555-0100'],
  ['+1 941 555 0100'],
  ['+1 (941) 555-0100'],
  ['+1.941.555.0100'],
  ['1-941-555-0100'],
  ['1 941 555 0100'],
  ['19415550100'],
  ['tel:+1-941-555-0100'],
  ['941\u2011555\u20110100'],
  ['941–555–0100'],
  ['+1\u00A0941\u00A0555\u00A00100'],
  ['\u202A+1 (941) 555‑0100\u202C'],
  ['٩٤١٥٥٥٠١٠٠'],
  ['+۱ ۹۴۱ ۵۵۵ ۰۱۰۰'],
  ['９４１－５５５－０１００'],
  ['९४१ ५५५ ०१००'],
])('the phone %j is sent as 9415550100', (phone) => {
  expect(asSent({ phone }).lead.phone1).toBe('9415550100')
})

test.each([
  '941 555 010',
  '94155501001',
  '29415550100',
  '+44 20 7946 0958',
  '9415550100 or 9415550101',
  '(941) 555-0100 ext 5',
  '(941) 555-0100 ext. 1234',
  '941-555-0100x12',
  '941-555-0100 #12',
  '+1-941-555-0100;ext=12',
  '+1 941 555 0100 Extension 7',
  'ext 5',
  '555-0100',
  'none',
])('the phone %j is refused, and stays as it was typed', (phone) => {
  const answers = normalizeAnswers({ ...emptyAnswers, phone: ` ${phone} ` })
  expect(answers.phone).toBe(phone)
  expect(steps.map((step) => findStepErrors(step, answers, facts).phone)[0]).toBe(
    'Enter a 10-digit U.S. number.',
  )
})

test.each([
  ["o'brien@example.com", "o'brien@example.com"],
  [' a&b@example.com ', 'a&b@example.com'],
  ['x@bücher.example', 'x@xn--bcher-kva.example'],
  ['Ada@Example.com', 'Ada@Example.com'],
])('the email %j is sent as %j', (email, sent) => {
  expect(asSent({ email }).lead.email).toBe(sent)
})

test.each([
  ['34236', '34236'],
  [' 34236 ', '34236'],
  ['34236-5610', '34236'],
  ['342365610', '34236'],
  ['34236\u20115610', '34236'],
  ['FL 34236', '34236'],
  ['٣٤٢٣٦', '34236'],
  ['３４２３６', '34236'],
  ['00501', '00501'],
])('the ZIP %j is sent as %j', (zip, sent) => {
  expect(asSent({ zip }).lead_address.zip).toBe(sent)
})

test.each([
  ['2012', 2012],
  [' 2012\t', 2012],
  ['２０１２', 2012],
  ['२०१२', 2012],
  ['May 2012', 2012],
])('the year %j is sent as %i', (graduatingYear, sent) => {
  expect(asSent({ graduatingYear }).lead_education.grad_year).toBe(sent)
})

test.each<[keyof Answers, string]>([
  ['zip', '3423'],
  ['zip', '342361'],
  ['zip', '34236-56'],
  ['graduatingYear', '201'],
  ['graduatingYear', '20120'],
  ['graduatingYear', '2010-2012'],
])('%s %j is no such thing, and stays as it was typed', (field, text) => {
  expect(normalizeAnswers({ ...emptyAnswers, [field]: ` ${text}` })[field]).toBe(text)
})
