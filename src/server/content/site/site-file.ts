import * as v from 'valibot'
import { claims } from '../claims.ts'
import { line, listOf } from '../text-rules.ts'

/** What all pages share: `content/site.yaml`. */
export const siteFile = v.strictObject({
  logo: v.optional(
    v.strictObject({
      file: line(80),
      'has-name': v.optional(v.picklist(['yes', 'no'], 'is neither yes nor no'), 'no'),
    }),
  ),
  claims,
  headings: v.strictObject({
    figures: line(40),
    areas: line(40),
    programs: line(40),
    reasons: line(40),
    questions: line(40),
  }),
  'figures-note': line(120),
  'chosen-lead': line(120),
  promise: line(200),
  questions: listOf(v.strictObject({ question: line(70), answer: line(480) }), 1, 8),
})
