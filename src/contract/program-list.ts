import * as v from 'valibot'
import { programTypes } from '#domain/area.ts'

const maxPrograms = 100

const wholeNumberSchema = (max: number) =>
  v.pipe(
    v.string(),
    v.regex(/^\d{1,9}$/, 'Give a whole number, 0 or more.'),
    v.transform(Number),
    v.maxValue(max, `Give at most ${max}.`),
  )

/** The schema of the query of `GET /api/programs`. */
export const programsQuerySchema = v.object({
  skip: v.optional(wholeNumberSchema(999_999_999), '0'),
  take: v.optional(wholeNumberSchema(maxPrograms), String(maxPrograms)),
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

export interface ProgramItem {
  readonly id: number
  readonly name: string
  readonly active?: true
  readonly types: readonly string[]
  readonly degreeType: string
}
