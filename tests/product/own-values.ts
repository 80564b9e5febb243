/** Values that only the operator knows and that production requires, except addresses and secrets. */
export const ownValues = {
  CAMPAIGN_CODE: 'campaign-9',
  TRUSTED_FORM_URL: 'https://cert.trustedform.com/9',
  START_DATE_ID: '9',
  SELF_DIRECTED_RATING_ID: '9',
  TIME_TO_COMMIT_ID: '9',
  UNSUBSCRIBE_URL: 'https://enquiry.example.edu/stop',
  PRIVACY_EMAIL: 'privacy@example.edu',
  SCHOOL_NAME: 'Example',
  OPERATOR_NAME: 'Operator',
  PIXEL_URL_HEALTHCARE: '',
  PIXEL_URL_TECHNOLOGY: '',
  PIXEL_URL_DEFAULT: '',
}
