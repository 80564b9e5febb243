/** A field of the lead as sent (section 3) for whose value no visitor was asked. */
interface AssertedField {
  readonly field: string
  /** What the field says, and on which leads. */
  readonly how: string
}

const assertedFields: readonly AssertedField[] = [
  { field: 'gender', how: 'F on every lead.' },
  { field: 'start_date', how: 'START_DATE_ID on every lead, whatever start the visitor chose.' },
  { field: 'rn_license', how: 'TRUE if the program has the type Healthcare.' },
  { field: 'teaching_license', how: 'Yes if the program has the type Education.' },
  { field: 'age', how: 'estimated from the graduation year.' },
  { field: 'self_directed_rating_wgu', how: 'SELF_DIRECTED_RATING_ID on every lead.' },
  { field: 'time_to_commit_to_education_wgu', how: 'TIME_TO_COMMIT_ID on every lead.' },
]

const unaskedConsent: AssertedField = {
  field: 'tcpa_consent',
  how: 'Yes on every lead, but the disclosure does not cover phone: visitors were not asked for this consent. content/README.md has a text for your lawyer.',
}

/**
 * Lists the fields of a sent lead that assert what the visitor was not asked, the most serious first (reading 35).
 * @param covers what the disclosure covers
 */
export const listAssertedFields = (covers: readonly string[]): readonly AssertedField[] =>
  covers.includes('phone') ? assertedFields : [unaskedConsent, ...assertedFields]
