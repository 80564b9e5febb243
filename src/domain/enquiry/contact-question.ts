import type { Answers } from './answers.ts'
import { emailSuggestion } from './email-suggestion.ts'
import type { Enquiry } from './enquiry.ts'
import { phoneNumber } from './phone.ts'
import type { StepQuestion } from './step-question.ts'

/** What to ask about a likely slip in phone or email, by which the school would reach nobody; undefined where there is none. */
export function contactQuestion({ email, phone }: Answers): StepQuestion | undefined {
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
