import { consentYears } from '#domain/lead/retention.ts'

/**
 * How long a lead is kept, as the product does it: `{retention}` of the privacy policy.
 * @param days undefined: until somebody erases it
 */
export const retentionWords = (days: number | undefined): string =>
  days === undefined
    ? 'We keep your answers and the proof of your consent until you ask us to erase them, or until we no longer need them.'
    : `We erase your answers ${days} days after you sent them or, if your request is still waiting for delivery then, as soon as that is settled. We delete the proof of your consent ${consentYears} years after you gave it. After that we know only that there was a request, and nothing about you.`
