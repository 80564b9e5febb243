import { type QuestionReply, withReply } from '../address/address-question.ts'
import { hasErrors } from '../answers.ts'
import type { Enquiry } from '../enquiry.ts'
import { stepErrors } from '../rules/step-errors.ts'
import { steps } from '../steps.ts'
import { tidyAnswers } from '../tidy-answers.ts'
import { pointOut } from './point-out.ts'
import { oneBack, type StepPorts, type StepTaken, takeStep } from './take-step.ts'

/** What a visitor's form says beside the answers. */
export interface PostedMove {
  readonly move: 'next' | 'back'
  readonly reply: QuestionReply
}

/** The same as in the browser, but earlier steps are checked again: their answers came along in hidden fields. */
export async function takePostedStep(
  posted: Enquiry,
  { move, reply }: PostedMove,
  ports: StepPorts,
): Promise<StepTaken> {
  if (move === 'back') return { enquiry: oneBack(posted), errors: {} }
  const enquiry = { ...posted, answers: tidyAnswers(posted.answers) }
  for (const step of steps.slice(0, enquiry.step)) {
    const errors = stepErrors(step, enquiry.answers, ports.facts)
    if (hasErrors(errors)) return pointOut(enquiry, errors)
  }
  return takeStep(withReply(enquiry, reply), ports)
}
