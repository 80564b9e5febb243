import { expect, test } from 'vitest'
import { answeredWith } from '#sandbox/answer-call.ts'
import { distributorFaults, lastNameFaults, success } from '#sandbox/faults.ts'
import { answerInWords } from '#sandbox/page/rows.tsx'
import { accepting, outcomeOf } from './outcome-of.ts'

const interrupted = Object.keys(accepting).flatMap((status) =>
  (['timeout', 'stopped', 'connection'] as const).map((why) => ({ status: Number(status), why })),
)

test.each(interrupted)(
  'a $status that broke off ($why) leaves the lead’s fate unknown',
  (reply) => {
    const { outcome } = outcomeOf({ kind: 'cut-short', headers: {}, ...reply }, 0)
    expect(outcome).toMatchObject({ name: 'unknown', httpStatus: reply.status })
  },
)

test.each(Object.keys(accepting))(
  'a %s says in its body alone that the lead was taken',
  (status) => {
    const reply = { kind: 'answered', status: Number(status), headers: {} } as const
    expect(outcomeOf({ ...reply, body: '<h1>Down for repairs</h1>' }, 0).outcome.name).toBe(
      'broken',
    )
  },
)

const answers = [{ name: 'success', answer: success }, ...distributorFaults, ...lastNameFaults]

test.each(answers)(
  'the sandbox shows $name as good where the lead is delivered, and nowhere else',
  ({ answer }) => {
    const answered = answeredWith(answer, success.body)
    const { status, body } = answered
    const outcome =
      status === null
        ? undefined
        : outcomeOf({ kind: 'answered', status, headers: {}, body: body ?? '' }, 0).outcome.name
    expect(answerInWords(answered).tone).toBe(outcome === 'delivered' ? 'good' : 'bad')
  },
)
