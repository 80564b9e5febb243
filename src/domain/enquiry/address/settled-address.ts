import type { Answers } from '../answers.ts'
import { tidyZip } from '../tidy-answers.ts'
import { tidyLine } from '../tidy-line.ts'
import type { AddressCheckState } from './address-check-state.ts'

/** Names a street and ZIP, so that a later change of either is noticed. */
export const addressKey = ({ address, zip }: Pick<Answers, 'address' | 'zip'>): string =>
  `${tidyLine(address)}|${tidyZip(zip)}`

/** The specification's skip rule: city and state are known, and street and ZIP are as they were then. */
export function isAddressSettled(answers: Answers, addressCheck: AddressCheckState): boolean {
  return (
    answers.city !== '' && answers.state !== '' && addressCheck.checkedFor === addressKey(answers)
  )
}

/** A ZIP+4, like 34236-5610. */
export const zipPlus4Pattern = /^\d{5}-\d{4}$/

/** What the form says of the address when the enquiry is sent: whether city and state are the check's, and its ZIP+4. */
export function verifiedAddress(answers: Answers, addressCheck: AddressCheckState) {
  const addressVerified = addressCheck.by === 'check' && isAddressSettled(answers, addressCheck)
  const zipPlus4 = (addressVerified && addressCheck.zipPlus4) || undefined
  return { addressVerified, zipPlus4 }
}
