/** What demo mode uses for values that only an operator can know (ruling 6). Production refuses to start on one of these. */
export const demoValues = {
  CAMPAIGN_CODE: 'demo-campaign',
  TRUSTED_FORM_URL: 'https://cert.trustedform.com/demo-certificate',
  START_DATE_ID: 'demo-start-1-3-months',
  SELF_DIRECTED_RATING_ID: 'demo-self-directed-rating',
  TIME_TO_COMMIT_ID: 'demo-time-to-commit',
  UNSUBSCRIBE_URL: 'https://www.example.com/unsubscribe',
  PRIVACY_EMAIL: 'privacy@example.com',
  SCHOOL_NAME: 'Larkspur Online University',
  OPERATOR_NAME: 'Larkspur Admissions Marketing',
} as const

/** What demo mode calls the sandbox with; any key is good there. */
export const demoKey = 'demo-key'
