import type { AddressQuestion } from '../address/address-question.ts'
import type { ContactQuestion } from '../contact/contact-question.ts'

/**
 * What a visitor is asked before a step is left. It never stands in the way: it is asked once, and pressing Next again goes
 * on with what was typed.
 */
export interface StepQuestion extends AddressQuestion, ContactQuestion {
  /** The ZIP's state, two letters, where the visitor has entered another one. */
  readonly zipState?: string
}
