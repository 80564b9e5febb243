import type { EnquiryProps } from '#site/enquiry/form-state.ts'
import { ruleContext } from './any-enquiry.ts'

/** The server's data for a form that offers one program: the one of `exampleAnswers`. */
export const exampleForm: EnquiryProps = {
  area: 'business',
  programs: [{ id: 8, name: 'M.B.A.', active: true, types: ['Business'], degreeType: 'Masters' }],
  currentYear: ruleContext.currentYear,
  title: 'Business',
  school: 'School',
  operator: 'Operator',
  disclosure: { html: 'I agree to the privacy policy.', id: '' },
  promise: { html: 'Free, with no obligation.' },
}
