import {
  type AddressCheck,
  type AddressQuestion,
  type AddressServices,
  applyQuestionReply,
  checkAddress,
  makeAddressKey,
  prefillCityAndState,
  type QuestionReply,
  showCityAndStateFields,
  zipPlus4Pattern,
} from './address.ts'
import { type Answers, type FieldErrors, hasErrors } from './answers.ts'
import { type ContactQuestion, makeContactKey, makeContactQuestion } from './contact.ts'
import {
  type CityAndStateOrigin,
  type Enquiry,
  type Step,
  type StepNumber,
  steps,
  uncheckedAddress,
} from './enquiry.ts'
import { findStepErrors, normalizeAnswers, type RuleContext } from './rules.ts'

/** A question that the form asks once before the next step. A second press of Next keeps the typed answer. */
export interface StepQuestion extends AddressQuestion, ContactQuestion {
  /** True if the education level rules out the program that the visitor has chosen. */
  readonly isProgramClosed?: true
}

/** Reads the visitor's reply to the question from the form's controls. */
export const readQuestionReply = (read: (control: string) => unknown): QuestionReply => {
  const text = (control: string) => {
    const value = read(control)
    return typeof value === 'string' ? value : ''
  }
  const unit = text('move') === 'no-unit' ? '' : text('unit')
  return {
    suggestion: text('suggestion'),
    unit,
    meantEmail: text('meantEmail'),
    dropsProgram: text('drop') === 'program',
    isUndecided: text('move') === 'ask',
  }
}

/** Applies the visitor's reply. After Enter in a field, the form asks the question again unless its reason is gone. */
export function applyReply(enquiry: Enquiry, reply: QuestionReply): Enquiry {
  const replied = applyQuestionReply(enquiry, reply)
  if (!reply.isUndecided) return replied
  if (steps[replied.step]?.id !== 'address') return { ...replied, questionedContact: '' }
  // A typed unit answers a question about the unit alone.
  if (replied.addressCheck.by === 'check' && reply.unit.trim() !== '') return replied
  return { ...replied, addressCheck: uncheckedAddress }
}

/** Goes to the first step with an error. Errors in the hidden fields of other steps are not shown (reading 12). */
export function goToFirstError(
  enquiry: Enquiry,
  errors: FieldErrors,
): Pick<AdvanceResult, 'enquiry' | 'errors'> {
  const index = steps.findIndex(({ fields }) => fields.some((field) => errors[field]))
  const fields = steps[index]?.fields
  if (fields === undefined) return { enquiry, errors: {} }
  const atError: Enquiry = { ...enquiry, step: index as StepNumber }
  return {
    enquiry: errors.city || errors.state ? showCityAndStateFields(atError) : atError,
    errors: Object.fromEntries(
      fields.flatMap((field) => (errors[field] ? [[field, errors[field]]] : [])),
    ),
  }
}

/** A failure of the address check that belongs to no field, so that the form reports it in a toast. */
export type AddressCheckFault =
  /** The specification's situation “Address check fails”, with the specification's message. */
  | { readonly kind: 'invalid-address'; readonly message: string }
  /** The specification's situation “Address call fails”: the service does not answer or cannot be reached. */
  | { readonly kind: 'address-call' }

export interface AdvanceResult {
  /** The enquiry at the next step, or at the same step if the visitor has to correct something. */
  readonly enquiry: Enquiry
  readonly errors: FieldErrors
  readonly fault?: AddressCheckFault
  readonly question?: StepQuestion
  /** True if the last step is complete, so that the form can send the enquiry. */
  readonly isComplete?: true
}

interface StepDependencies {
  readonly ruleContext: RuleContext
  readonly services: AddressServices
}

/** Handles a press of Next: normalizes the answers, checks the step, and goes to the next step. */
export async function advanceStep(
  typed: Enquiry,
  dependencies: StepDependencies,
): Promise<AdvanceResult> {
  const enquiry = { ...typed, answers: normalizeAnswers(typed.answers) }
  const step = steps[enquiry.step]
  if (step === undefined) return { enquiry, errors: {} }
  if (step.id === 'address') return advanceAddressStep(enquiry, step, dependencies)
  const errors = findStepErrors(step, enquiry.answers, dependencies.ruleContext)
  if (hasErrors(errors)) return { enquiry, errors }
  if (step.id === 'about-you') {
    const questionedContact = makeContactKey(enquiry.answers)
    const isNew = enquiry.questionedContact !== questionedContact
    const question = isNew && makeContactQuestion(enquiry.answers)
    if (question) return { enquiry: { ...enquiry, questionedContact }, errors, question }
  }
  const isProgramClosed = dependencies.ruleContext.isClosed?.(enquiry.answers.programId)
  if (step.id === 'your-education' && isProgramClosed) {
    return { enquiry, errors, question: { isProgramClosed } }
  }
  const isLast = enquiry.step === steps.length - 1
  return isLast ? { enquiry, errors, isComplete: true } : { enquiry: toNextStep(enquiry), errors }
}

const toNextStep = (enquiry: Enquiry): Enquiry => ({
  ...enquiry,
  step: Math.min(enquiry.step + 1, steps.length) as StepNumber,
})

export const toPreviousStep = (enquiry: Enquiry): Enquiry => ({
  ...enquiry,
  step: Math.max(enquiry.step - 1, 0) as StepNumber,
})

async function advanceAddressStep(
  enquiry: Enquiry,
  step: Step,
  { ruleContext, services }: StepDependencies,
): Promise<AdvanceResult> {
  const { answers, addressCheck } = enquiry
  const errors = findStepErrors(step, answers, ruleContext)
  const { city: _city, state: _state, ...typedErrors } = errors
  if (hasErrors(typedErrors)) return { enquiry, errors: typedErrors }

  const isKnown = addressCheck.checkedFor === makeAddressKey(answers)
  if (isKnown && !hasErrors(errors)) return { enquiry: toNextStep(enquiry), errors }
  const isByHand = isKnown && addressCheck.by === 'hand'
  // If the visitor has entered neither city nor state, the form calls the services again, because they may answer now.
  if (isByHand && (answers.city || answers.state)) return { enquiry, errors }

  const check = await checkAddress(services, answers.address, answers.zip)
  switch (check.kind) {
    case 'verified':
      return applyVerifiedAddress(check, enquiry, (found) =>
        findStepErrors(step, found, ruleContext),
      )
    case 'invalid':
      return {
        enquiry: {
          ...enquiry,
          answers: { ...answers, city: '', state: '' },
          addressCheck: uncheckedAddress,
        },
        errors: { [check.field]: check.message },
        fault: { kind: 'invalid-address', message: check.message },
      }
    case 'failed': {
      const { place } = check
      return {
        enquiry: prefillCityAndState(enquiry, place),
        errors: isByHand && !place ? errors : {},
        fault: { kind: 'address-call' },
      }
    }
  }
}

function applyVerifiedAddress(
  { city, state, postalCode, question }: Extract<AddressCheck, { kind: 'verified' }>,
  enquiry: Enquiry,
  findErrors: (answers: Answers) => FieldErrors,
): AdvanceResult {
  // If the address service returns a state's full name, the visitor enters the state (reading 12).
  const letters = state.trim().length === 2 ? state : ''
  const answers = normalizeAnswers({ ...enquiry.answers, city, state: letters })
  // The address service may return values that the rules refuse: no city, or a state that is not two letters.
  const errors = findErrors(answers)
  if (hasErrors(errors)) {
    const cleared = {
      ...answers,
      ...(errors.city && { city: '' }),
      ...(errors.state && { state: '' }),
    }
    return goToFirstError({ ...enquiry, answers: cleared }, findErrors(cleared))
  }
  const addressCheck: CityAndStateOrigin = {
    ...uncheckedAddress,
    checkedFor: makeAddressKey(answers),
    by: question?.suggestion || question?.isStreetUnknown ? 'nobody' : 'check',
    zipPlus4: zipPlus4Pattern.test(postalCode) ? postalCode : '',
  }
  const checked: Enquiry = { ...enquiry, answers, addressCheck }
  return question
    ? { enquiry: checked, errors: {}, question }
    : { enquiry: toNextStep(checked), errors: {} }
}

/** The pressed button in a posted form, and the visitor's answer to a question. */
export interface PostedNavigation {
  /** `stay` shows the same step, for example on another area's page. */
  readonly move: 'next' | 'back' | 'stay'
  readonly reply: QuestionReply
}

/** Handles a form posted without JavaScript like {@link advanceStep}, and also checks the earlier steps' answers. */
export async function advancePostedStep(
  posted: Enquiry,
  { move, reply }: PostedNavigation,
  dependencies: StepDependencies,
): Promise<AdvanceResult> {
  if (move === 'back') return { enquiry: toPreviousStep(posted), errors: {} }
  if (move === 'stay') return { enquiry: posted, errors: {} }
  const enquiry = { ...posted, answers: normalizeAnswers(posted.answers) }
  for (const step of steps.slice(0, enquiry.step)) {
    const errors = findStepErrors(step, enquiry.answers, dependencies.ruleContext)
    if (hasErrors(errors)) return goToFirstError(enquiry, errors)
  }
  // A corrected education level may have opened the program that the visitor was about to drop.
  const isOpen = dependencies.ruleContext.isClosed?.(enquiry.answers.programId) === false
  const dropsProgram = reply.dropsProgram === true && !isOpen
  return advanceStep(applyReply(enquiry, { ...reply, dropsProgram }), dependencies)
}
