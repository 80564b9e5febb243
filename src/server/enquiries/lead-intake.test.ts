import { expect, test, vi } from 'vitest'
import type { RunTask } from '#server/platform/database/lead-database.ts'
import { untilPasses } from '#tests/patience/until.ts'
import { exampleArrival } from '#tests/store/example-arrival.ts'
import type { LeadArrival } from './lead-arrival.ts'
import { IntakeFullError, makeLeadIntake } from './lead-intake.ts'

const toResult = ({ lead: { id } }: LeadArrival) =>
  ({ id, repeated: false, duplicateOf: null, corrects: null }) as const

/** An intake whose store stores nothing until the test calls the next function in `answers`. */
function slowIntake() {
  const answers: (() => void)[] = []
  const run = (_: unknown, arrivals: readonly LeadArrival[]) => {
    const { promise, resolve } = Promise.withResolvers<readonly unknown[]>()
    answers.push(() => resolve(arrivals.map(toResult)))
    return promise
  }
  const readiness = { assertUndamaged: vi.fn(), stored: vi.fn(), refused: vi.fn() }
  return { answers, readiness, intake: makeLeadIntake(run as unknown as RunTask, readiness) }
}

test('the intake refuses the last of 2,001 concurrent enquiries, and has room once some are stored', async () => {
  const { answers, intake } = slowIntake()
  const pending = Array.from({ length: 2000 }, () => intake.accept(exampleArrival()))
  await expect(intake.accept(exampleArrival())).rejects.toThrow(IntakeFullError)
  await untilPasses(() => expect(answers).toHaveLength(1))

  answers[0]?.()
  await pending[0]
  const arrival = exampleArrival()
  const again = intake.accept(arrival)
  for (let batch = 1; batch <= 10; batch++) {
    await untilPasses(() => expect(answers).toHaveLength(batch + 1))
    answers[batch]?.()
  }
  expect(await again).toEqual(toResult(arrival))
  await Promise.all(pending)
})

test('closing waits for accepted enquiries and accepts no more', async () => {
  const { answers, intake } = slowIntake()
  const pending = intake.accept(exampleArrival())
  const happened: string[] = []
  const closed = intake.close().then(() => happened.push('closed'))
  await expect(intake.accept(exampleArrival())).rejects.toThrow('closed')
  await untilPasses(() => expect(answers).toHaveLength(1))
  expect(happened).toEqual([])
  answers[0]?.()
  await pending
  await closed
  expect(happened).toEqual(['closed'])
})

test('a damaged store accepts nothing, and a full intake says nothing about the store', async () => {
  const { readiness, intake } = slowIntake()
  const pending = Array.from({ length: 2000 }, () => intake.accept(exampleArrival()))
  await expect(intake.accept(exampleArrival())).rejects.toThrow(IntakeFullError)
  expect(readiness.refused).not.toHaveBeenCalled()
  readiness.assertUndamaged.mockImplementation(() => {
    throw new Error('damaged')
  })
  await expect(intake.accept(exampleArrival())).rejects.toThrow('damaged')
  void Promise.allSettled(pending)
})
