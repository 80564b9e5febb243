import type { StepId } from '#domain/enquiry/answers.ts'
import { steps } from '#domain/enquiry/enquiry.ts'
import { ada, questionsOf } from '#tests/journeys/ada.ts'
import type { Visitor } from './visitor.ts'

/** Answers a step and continues. The caller checks the page after the last step. */
export async function answerStep(visitor: Visitor, id: StepId, email?: string) {
  const person = email === undefined ? ada : { ...ada, email }
  for (const { control, label = '', answer } of questionsOf(id)) {
    const said = answer?.(person) ?? ''
    if (control === 'box') await visitor.tick()
    else if (control === 'list') await visitor.choose(label, said)
    else await visitor.fill(label, said)
  }
  const number = steps.findIndex((step) => step.id === id) + 1
  await visitor.press(number === steps.length ? 'Agree & Continue' : 'Next')
  if (number < steps.length) await visitor.seesHeading(`Step ${number + 1} of ${steps.length}`)
}
