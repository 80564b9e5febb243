import * as v from 'valibot'
import { type Answers, fields } from '#domain/enquiry/answers.ts'
import type { Enquiry } from '#domain/enquiry/enquiry.ts'

/** The tab's own storage: it outlives a reload and ends with the tab (ruling 16). */
const place = 'enquiry'

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

export function readDraft(): Enquiry | undefined {
  try {
    const result = v.safeParse(draft, JSON.parse(sessionStorage.getItem(place) ?? ''))
    return result.success ? result.output : undefined
  } catch {
    // No draft, or storage is forbidden: the form starts empty.
    return undefined
  }
}

export function saveDraft(enquiry: Enquiry): void {
  try {
    sessionStorage.setItem(place, JSON.stringify(enquiry))
  } catch {
    // Storage is full or forbidden: a reload then loses the enquiry, the form itself does not.
  }
}

export function dropDraft(): void {
  try {
    sessionStorage.removeItem(place)
  } catch {
    // Nothing was stored where storage is forbidden.
  }
}
