import { expect, test } from 'vitest'
import { exampleAnswers } from '#tests/enquiry/example-answers.ts'
import type { Answers } from '../answers.ts'
import { newEnquiry } from '../enquiry.ts'
import { takeStep } from '../taking/take-step.ts'

const ports = {
  facts: { currentYear: 2026, isOffered: () => true },
  services: { lookUpZip: () => Promise.reject(), validateAddress: () => Promise.reject() },
}
const at = (typed: Partial<Answers>) => ({
  ...newEnquiry,
  answers: { ...exampleAnswers, ...typed },
})

test.each<[Partial<Answers>, object]>([
  [{ email: 'ada@gmial.com' }, { meantEmail: 'ada@gmail.com' }],
  [{ phone: '0000000000' }, { isPhoneOdd: true }],
  [{ phone: '(141) 555-0100' }, { isPhoneOdd: true }],
  [{ phone: '(941) 155-0100' }, { isPhoneOdd: true }],
  [
    { phone: '(041) 555-0100', email: 'ada@gmail.co' },
    { isPhoneOdd: true, meantEmail: 'ada@gmail.com' },
  ],
])('%j is asked about once, and never refused', async (typed, question) => {
  const asked = await takeStep(at(typed), ports)
  expect(asked).toMatchObject({ enquiry: { step: 0 }, errors: {} })
  expect(asked.question).toEqual(question)
  const again = await takeStep(asked.enquiry, ports)
  expect(again.enquiry.step).toBe(1)
  expect(again.question).toBeUndefined()
  // Back, and the next slip is another one.
  const other = {
    ...again.enquiry,
    step: 0,
    answers: { ...again.enquiry.answers, email: 'a@yaho.com' },
  }
  expect((await takeStep({ ...other, step: 0 }, ports)).question).toHaveProperty('meantEmail')
})

test.each<Partial<Answers>>([{}, { email: 'ada@mail.com' }, { phone: '(200) 200-0000' }])(
  '%j is not asked about',
  async (typed) => {
    expect((await takeStep(at(typed), ports)).enquiry.step).toBe(1)
  },
)
