import * as v from 'valibot'
import { startDates } from './start-date.ts'
import type { Step } from './step.ts'

const startDateIds = startDates.map(({ id }) => id as string)

/** Step 3, Desired Program (section 5). */
export const program: Step = {
  id: 'program',
  title: 'Desired Program',
  fields: ['desiredProgram', 'startDate', 'confirmation'],
  schema: ({ isOffered }) =>
    v.object({
      desiredProgram: v.pipe(
        v.string(),
        v.check(isOffered, 'Choose the program that interests you.'),
      ),
      startDate: v.picklist(startDateIds, 'Choose when you would like to start.'),
      confirmation: v.literal('on', 'Tick the box to agree, so that the school may contact you.'),
    }),
}
