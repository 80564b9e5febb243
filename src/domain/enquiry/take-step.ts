import { type AddressServices, checkAddress } from './address-check.ts'
import { type AddressQuestion, isStreetDoubted } from './address-question.ts'
import {
  addressKey,
  isAddressSettled,
  uncheckedAddress,
  zipPlus4Pattern,
} from './address-standing.ts'
import { type FieldErrors, hasErrors } from './answers.ts'
import type { Enquiry } from './enquiry.ts'
import type { Facts } from './rules.ts'
import { stepErrors } from './step-errors.ts'
import { type StepNumber, steps } from './steps.ts'

/** What went wrong beyond the fields: it is also said in a toast (section 8). */
export type AddressFault =
  /** "Address check fails": the message of section 5. */
  | { readonly kind: 'invalid-address'; readonly message: string }
  /** "Address call fails": the service, or the way to it. */
  | { readonly kind: 'address-call' }

export interface StepTaken {
  /** One step further, or the same step where something needs the visitor; on the last step, `isComplete` tells. */
  readonly enquiry: Enquiry
  readonly errors: FieldErrors
  readonly fault?: AddressFault
  /** Asked on the same step; pressing Next again goes on with what was typed. */
  readonly question?: AddressQuestion
  /** True where the last step is answered: the enquiry can be sent. */
  readonly isComplete?: true
}

export interface StepPorts {
  readonly facts: Facts
  readonly services: AddressServices
}

/**
 * What pressing Next does, the same in the browser and for a posted form: checks the current step's fields, on the
 * address step the address too, and moves on.
 */
export async function takeStep(enquiry: Enquiry, ports: StepPorts): Promise<StepTaken> {
  const step = steps[enquiry.step]
  if (step === undefined) return { enquiry, errors: {} }
  const errors = stepErrors(step, enquiry.answers, ports.facts)
  if (step.id === 'address') return takeAddressStep(enquiry, errors, ports.services)
  if (hasErrors(errors)) return { enquiry, errors }
  const isLast = enquiry.step === steps.length - 1
  return isLast ? { enquiry, errors, isComplete: true } : { enquiry: oneFurther(enquiry), errors }
}

export const oneFurther = (enquiry: Enquiry): Enquiry => ({
  ...enquiry,
  step: Math.min(enquiry.step + 1, steps.length) as StepNumber,
})

/** What pressing Back does; step 0 has none (section 4). */
export const oneBack = (enquiry: Enquiry): Enquiry => ({
  ...enquiry,
  step: Math.max(enquiry.step - 1, 0) as StepNumber,
})

async function takeAddressStep(
  enquiry: Enquiry,
  errors: FieldErrors,
  services: AddressServices,
): Promise<StepTaken> {
  const { answers, standing } = enquiry
  const { city: _city, state: _state, ...typedErrors } = errors
  if (hasErrors(typedErrors)) return { enquiry, errors: typedErrors }

  const checkedFor = addressKey(answers)
  const isByHand = standing.by === 'hand' && standing.checkedFor === checkedFor
  if (isByHand && hasErrors(errors)) return { enquiry, errors }
  if (isAddressSettled(answers, standing)) return { enquiry: oneFurther(enquiry), errors: {} }

  const check = await checkAddress(services, answers.address.trim(), answers.zip.trim())
  switch (check.kind) {
    case 'verified': {
      const { city, state, postalCode, question } = check
      const zipPlus4 = zipPlus4Pattern.test(postalCode) ? postalCode : ''
      const by = question && isStreetDoubted(question) ? 'nobody' : 'check'
      const checked: Enquiry = {
        ...enquiry,
        answers: { ...answers, city, state },
        standing: { checkedFor, by, zipPlus4 },
      }
      return question
        ? { enquiry: checked, errors: {}, question }
        : { enquiry: oneFurther(checked), errors: {} }
    }
    case 'invalid':
      return {
        enquiry: {
          ...enquiry,
          answers: { ...answers, city: '', state: '' },
          standing: uncheckedAddress,
        },
        errors: { [check.field]: check.message },
        fault: { kind: 'invalid-address', message: check.message },
      }
    case 'failed':
      return {
        enquiry: { ...enquiry, standing: { checkedFor, by: 'hand', zipPlus4: '' } },
        errors: {},
        fault: { kind: 'address-call' },
      }
  }
}
