import { expect, test } from 'vitest'
import { exampleArrival } from '#tests/store/example-arrival.ts'
import { IntakeFullError, makeLeadIntake } from './lead-intake.ts'
import type { StoreResult } from './store-arrivals.ts'

/** An intake whose store stores nothing until the test calls the functions in `answers`. */
function slowIntake() {
  const answers: (() => void)[] = []
  const intake = makeLeadIntake(({ lead }) => {
    const { promise, resolve } = Promise.withResolvers<StoreResult>()
    answers.push(() => resolve({ id: lead.id, repeated: false, duplicateOf: null, corrects: null }))
    return promise
  })
  return { answers, intake }
}

test('the intake refuses the last of 2,001 concurrent enquiries, and has room once one is stored', async () => {
  const { answers, intake } = slowIntake()
  const arrival = exampleArrival()
  const pending = Array.from({ length: 2000 }, () => intake.accept(arrival))
  await expect(intake.accept(arrival)).rejects.toThrow(IntakeFullError)
  expect(answers).toHaveLength(2000)

  answers[0]?.()
  await pending[0]
  const again = intake.accept(arrival)
  expect(answers).toHaveLength(2001)
  for (const answer of answers) answer()
  expect(await again).toEqual({
    id: arrival.lead.id,
    repeated: false,
    duplicateOf: null,
    corrects: null,
  })
})

test('closing waits for accepted enquiries and accepts no more', async () => {
  const { answers, intake } = slowIntake()
  const pending = intake.accept(exampleArrival())
  const happened: string[] = []
  const closed = intake.close().then(() => happened.push('closed'))
  await expect(intake.accept(exampleArrival())).rejects.toThrow('closed')
  expect(happened).toEqual([])
  answers[0]?.()
  await pending
  await closed
  expect(happened).toEqual(['closed'])
})
