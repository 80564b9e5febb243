import * as v from 'valibot'
import { educationLevels } from '../../catalogue/catalogue.ts'
import type { Rules } from './rules.ts'

export const earliestGraduatingYear = 1990

/** The upper bound is ours: a typing error otherwise gives a negative age (reading 13). */
export const latestGraduatingYear = (currentYear: number): number => currentYear + 10

const levelIds = educationLevels.map(({ id }) => String(id))

/** Education Information. */
export const yourEducationRules: Rules = ({ currentYear }) => {
  const latest = latestGraduatingYear(currentYear)
  return v.object({
    previousEducation: v.picklist(levelIds, 'Choose your education level.'),
    graduatingYear: v.pipe(
      v.string(),
      v.trim(),
      v.nonEmpty('Enter your graduation year.'),
      v.regex(/^\d{4}$/, 'Enter the year with 4 digits, like 2012.'),
      v.check(
        (text) => Number(text) >= earliestGraduatingYear && Number(text) <= latest,
        `Enter a year from ${earliestGraduatingYear} to ${latest}.`,
      ),
    ),
  })
}
