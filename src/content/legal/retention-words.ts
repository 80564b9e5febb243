import { consentYears } from '#domain/lead/retention.ts'

/**
 * How long a lead is kept, as the product does it: `{retention}` of the privacy policy.
 * @param days undefined: until somebody erases it
 */
export const retentionWords = (days: number | undefined): string =>
  days === undefined
    ? 'We keep your answers and the proof of your consent until you ask us to erase them, or until we no longer need them.'
    : `Your answers are erased ${days} days after you sent them; if your request is still waiting to be passed on then, as soon as that is settled. The proof of your consent is deleted ${consentYears} years after you gave it. What remains after that says that there was a request, and nothing about you.`
