import type { Answers } from './answers.ts'

/** How the city and state of the answers came about. */
export interface AddressStanding {
  /** The street and ZIP that city and state belong to; empty before the first check. */
  readonly checkedFor: string
  readonly by: 'nobody' | 'check' | 'hand'
  /** The ZIP+4 that the check found, kept beside the ZIP that the visitor typed (ruling 12); empty where it found none. */
  readonly zipPlus4: string
}

export const uncheckedAddress: AddressStanding = { checkedFor: '', by: 'nobody', zipPlus4: '' }

/** Names a street and ZIP, so that a later change of either is noticed. */
export const addressKey = ({ address, zip }: Pick<Answers, 'address' | 'zip'>): string =>
  `${address.trim()}|${zip.trim()}`

/** The skip rule of section 4: city and state are known, and street and ZIP are as they were then. */
export function isAddressSettled(answers: Answers, standing: AddressStanding): boolean {
  return answers.city !== '' && answers.state !== '' && standing.checkedFor === addressKey(answers)
}

/** A ZIP+4, like 34236-5610. */
export const zipPlus4Pattern = /^\d{5}-\d{4}$/

/** What the form says of the address when the enquiry is sent: whether city and state are the check's, and its ZIP+4. */
export function verifiedAddress(answers: Answers, standing: AddressStanding) {
  const addressVerified = standing.by === 'check' && isAddressSettled(answers, standing)
  const zipPlus4 = (addressVerified && standing.zipPlus4) || undefined
  return { addressVerified, zipPlus4 }
}
