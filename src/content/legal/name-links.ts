import type { Names } from '../disclosure.ts'
import type { Inline } from './legal-page.ts'

/** Shown as the address itself, so that it can be read out or copied where no mail program is set up. */
export const privacyEmailLink = ({ privacyEmail }: Names): Inline => ({
  text: privacyEmail,
  href: `mailto:${privacyEmail}`,
})

export const unsubscribeLink = ({ unsubscribeUrl }: Names): Inline => ({
  text: 'unsubscribe form',
  href: unsubscribeUrl,
})
