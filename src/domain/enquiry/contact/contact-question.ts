import type { Answers } from '../answers.ts'
import type { Enquiry } from '../enquiry.ts'
import { emailSuggestion } from './email-suggestion.ts'
import { phoneNumber } from './phone.ts'

export interface ContactQuestion {
  /** The whole email address that is one slip of the keys away from the one typed. */
  readonly meantEmail?: string
  /** True where area code or exchange begins with 0 or 1, as none does. */
  readonly isPhoneOdd?: true
}

/** What to ask about a likely slip in phone or email, by which the school would reach nobody; undefined where there is none. */
export function contactQuestion({ email, phone }: Answers): ContactQuestion | undefined {
  const meantEmail = emailSuggestion(email)
  const isPhoneOdd = !/^[2-9]..[2-9]/.test(phoneNumber(phone) ?? '')
  if (meantEmail === undefined && !isPhoneOdd) return undefined
  return {
    ...(meantEmail === undefined ? {} : { meantEmail }),
    ...(isPhoneOdd ? { isPhoneOdd } : {}),
  }
}

/** Names what is asked about, so that it is asked once. */
export const contactKey = ({ email, phone }: Answers): string => `${email} ${phone}`

/** The enquiry with the email address that was meant, where the visitor says so. */
export const withMeantEmail = (enquiry: Enquiry, email: string): Enquiry =>
  email === '' ? enquiry : { ...enquiry, answers: { ...enquiry.answers, email } }
