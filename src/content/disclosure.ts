/** The configured values that replace placeholders in the site's texts. */
export interface SiteNames {
  readonly school: string
  readonly operator: string
  readonly privacyEmail: string
  readonly unsubscribeUrl: string
  /**
   * The number of days that a lead's answers are kept. If undefined, answers are kept until an operator erases them.
   */
  readonly retentionDays?: number | undefined
}

/** The consent text (section 5), stored with each lead exactly as the visitor saw it. New wording gets a new hash. */
export const makeDisclosure = (school: string): string =>
  `I agree that ${school} and its affiliates may email me, and I agree to its privacy policy. I may opt out at any time.`
