import * as v from 'valibot'
import { areas } from '#domain/area.ts'
import { zipPlus4Pattern } from '#domain/enquiry/address.ts'
import { type Answers, type Field, noAnswers } from '#domain/enquiry/enquiry.ts'
import { honeypotField } from './own-api.ts'

/** Says how the form was filled. It never refuses an enquiry: what is missing or mangled says nothing. */
const evidence = <Schema extends v.GenericSchema>(schema: Schema) =>
  v.fallback(v.optional(schema), undefined)

/** The body of `POST /api/leads`: its shape. The enquiry's steps define the valid values. */
export const leadRequest = v.object({
  lead: v.object({
    firstName: v.string(),
    lastName: v.string(),
    /** Formatted or ten digits. */
    phone: v.string(),
    email: v.string(),
    address: v.string(),
    zip: v.string(),
    city: v.string(),
    state: v.string(),
    educationLevel: v.number(),
    graduatingYear: v.number(),
    programId: v.number(),
    /** The option's id. */
    startDate: v.string(),
  }),
  subId: v.optional(v.string()),
  category: v.picklist(areas),
  consent: v.literal(true),
  /** Sent by the form: true if the address check, not the visitor, filled in city and state (reading 11). */
  addressVerified: v.optional(v.boolean(), false),
  /** The ZIP+4 that the address check found. */
  zipPlus4: v.optional(v.pipe(v.string(), v.regex(zipPlus4Pattern, 'must be like 34236-5610'))),
  [honeypotField]: evidence(v.string()),
  /** From opening the page until sending, in milliseconds. */
  filledInMs: evidence(v.number()),
  /** Where a 429 asked for it: the solution of its challenge as ALTCHA has it, base64 of `{challenge, solution}`. */
  altcha: evidence(v.string()),
})

export type LeadRequest = v.InferOutput<typeof leadRequest>

/** The reply to `POST /api/leads`: 201, or 200 where the same content had been accepted under the Idempotency-Key before. */
export const leadReply = v.object({ id: v.pipe(v.string(), v.uuid()) })

export type LeadReply = v.InferOutput<typeof leadReply>

/** The request's name for a control of the form, where the two differ. */
const requestNames: Partial<Record<Field, string>> = {
  previousEducation: 'educationLevel',
  desiredProgram: 'programId',
  confirmation: 'consent',
}

export const requestField = (control: Field): string => requestNames[control] ?? control

export function answersFromRequest({ lead }: LeadRequest): Answers {
  const { educationLevel, graduatingYear, programId, ...same } = lead
  return {
    ...noAnswers,
    ...same,
    previousEducation: String(educationLevel),
    graduatingYear: String(graduatingYear),
    desiredProgram: String(programId),
    confirmation: 'on',
  }
}

export function requestFromAnswers(
  answers: Answers,
  rest: Omit<LeadRequest, 'lead' | 'consent'>,
): LeadRequest {
  const { previousEducation, graduatingYear, desiredProgram, confirmation: _, ...same } = answers
  return {
    lead: {
      ...same,
      educationLevel: Number(previousEducation),
      graduatingYear: Number(graduatingYear),
      programId: Number(desiredProgram),
    },
    consent: true,
    ...rest,
  }
}
