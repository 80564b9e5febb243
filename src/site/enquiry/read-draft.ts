import * as v from 'valibot'
import { type Answers, fields } from '#domain/enquiry/answers.ts'
import type { Enquiry } from '#domain/enquiry/enquiry.ts'

const draft = v.object({
  step: v.picklist([0, 1, 2, 3]),
  answers: v.object(
    Object.fromEntries(fields.map((field) => [field, v.string()])) as Record<
      keyof Answers,
      v.StringSchema<undefined>
    >,
  ),
  standing: v.object({
    checkedFor: v.string(),
    by: v.picklist(['nobody', 'check', 'hand']),
    zipPlus4: v.string(),
  }),
  key: v.string(),
})

/** The draft that another page of this tab has left; undefined where it is none that can be gone on with. */
export function readDraft(stored: string): Enquiry | undefined {
  try {
    const result = v.safeParse(draft, JSON.parse(stored))
    return result.success ? result.output : undefined
  } catch {
    return undefined
  }
}
