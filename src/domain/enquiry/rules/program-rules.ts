import * as v from 'valibot'
import { startDates } from '../start-date.ts'
import type { Rules } from './rules.ts'

const startDateIds = startDates.map(({ id }) => id as string)

/** Desired Program. */
export const programRules: Rules = ({ isOffered }) =>
  v.object({
    desiredProgram: v.pipe(
      v.string(),
      v.nonEmpty('Choose the program that interests you.'),
      // It was taken out of the catalogue meanwhile, or the education level changed.
      v.check(isOffered, 'This program is not available here. Please choose another one.'),
    ),
    startDate: v.picklist(startDateIds, 'Choose when you would like to start.'),
    confirmation: v.literal('on', 'Check the box to agree, so that the school may contact you.'),
  })
