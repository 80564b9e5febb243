import type { AddressQuestion } from './address-question.ts'

/**
 * What a visitor is asked before a step is left. It never stands in the way: it is asked once, and pressing Next again goes
 * on with what was typed.
 */
export interface StepQuestion extends AddressQuestion {
  /** The ZIP's state, two letters, where the visitor has entered another one. */
  readonly zipState?: string
  /** The whole email address that is one slip of the keys away from the one typed. */
  readonly meantEmail?: string
  /** True where area code or exchange begins with 0 or 1, as none does. */
  readonly isPhoneOdd?: true
}
