import * as v from 'valibot'
import { programTypes } from '#domain/area.ts'

/** An option's id is a number in `GET /api/education-levels` and a text in `GET /api/start-dates`. */
export interface Option<Id extends number | string> {
  readonly id: Id
  readonly name: string
}

const maxPrograms = 100

const wholeNumber = (max: number) =>
  v.pipe(
    v.string(),
    v.regex(/^\d{1,9}$/, 'Give a whole number, 0 or more.'),
    v.transform(Number),
    v.maxValue(max, `Give at most ${max}.`),
  )

/** The query of `GET /api/programs` (skip, take, active and extras). */
export const programsQuery = v.object({
  skip: v.optional(wholeNumber(999_999_999), '0'),
  take: v.optional(wholeNumber(maxPrograms), String(maxPrograms)),
  active: v.optional(
    v.pipe(
      v.picklist(['true', 'false'], 'Give true or false.'),
      v.transform((text) => text === 'true'),
    ),
  ),
  type: v.optional(v.picklist(programTypes, `Give one of ${programTypes.join(', ')}.`)),
  educationLevel: v.optional(
    v.pipe(
      v.string(),
      v.regex(/^-?\d{1,9}$/, 'Give an education level’s id.'),
      v.transform(Number),
    ),
  ),
})

/** A program as the API shows it: only featured programs have `active`. */
export interface ProgramItem {
  readonly id: number
  readonly name: string
  readonly active?: true
  readonly types: readonly string[]
  readonly degreeType: string
}
export interface Page<Item> {
  readonly items: readonly Item[]
  /** The number of items before `skip` and `take` apply. */
  readonly total: number
  readonly skip: number
  readonly take: number
}
