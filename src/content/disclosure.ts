/** The values that the operator's configuration fills into our texts. */
export interface Names {
  readonly school: string
  readonly operator: string
  readonly privacyEmail: string
  readonly unsubscribeUrl: string
  /** How long a lead's answers are kept; undefined: until somebody erases them. */
  readonly retentionDays?: number | undefined
}

/**
 * The consent text (section 5), stored with each lead exactly as it was shown. A change of wording
 * makes a new disclosure with a new hash; leads already stored keep theirs.
 */
export const disclosure = (school: string): string =>
  `I agree that ${school} and its affiliates may email me, and I agree to its privacy policy. I may opt out at any time.`
