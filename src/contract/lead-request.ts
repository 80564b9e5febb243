import * as v from 'valibot'
import { areas } from '#domain/area.ts'
import { zipPlus4Pattern } from '#domain/enquiry/address.ts'
import { type Answers, emptyAnswers, type Field } from '#domain/enquiry/enquiry.ts'
import { attributionField, honeypotField } from './api-constants.ts'

/** Makes the schema of a value that the browser adds, not the visitor. A malformed value becomes undefined. */
const makeLenientSchema = <Schema extends v.GenericSchema>(schema: Schema) =>
  v.fallback(v.optional(schema), undefined)

/** The schema of the body of `POST /api/leads`. The rules of the form's steps check the answers in the body. */
export const leadRequestSchema = v.object({
  lead: v.object({
    firstName: v.string(),
    lastName: v.string(),
    /** The phone number, formatted or as ten digits. */
    phone: v.string(),
    email: v.string(),
    address: v.string(),
    zip: v.string(),
    city: v.string(),
    state: v.string(),
    educationLevel: v.number(),
    graduatingYear: v.number(),
    programId: v.number(),
    startDate: v.string(),
  }),
  subId: v.optional(v.string()),
  category: v.picklist(areas),
  consent: v.literal(true),
  /** True if the address check filled in city and state, false if the visitor typed them (reading 11). */
  addressVerified: v.optional(v.boolean(), false),
  zipPlus4: v.optional(
    v.pipe(v.string(), v.regex(zipPlus4Pattern, 'Enter a ZIP+4 code like 34236-5610.')),
  ),
  [honeypotField]: makeLenientSchema(v.string()),
  [attributionField]: makeLenientSchema(v.string()),
  /** The milliseconds between opening the page and sending the form. */
  filledInMs: makeLenientSchema(v.number()),
  /** The class of the device, derived from the width of the browser's window. */
  device: makeLenientSchema(v.picklist(['phone', 'tablet', 'desktop'])),
  /** The solution of the challenge from a 429 response, in ALTCHA's format: base64 of `{challenge, solution}`. */
  altcha: makeLenientSchema(v.string()),
})

export type LeadRequest = v.InferOutput<typeof leadRequestSchema>

/** The response to `POST /api/leads` has status 201, or 200 if the Idempotency-Key already has the same content. */
export const leadReplySchema = v.object({ id: v.pipe(v.string(), v.uuid()) })

export type LeadReply = v.InferOutput<typeof leadReplySchema>

/** The names of the request's fields that differ from the names of the form's controls. */
const requestNames: Partial<Record<Field, string>> = {
  previousEducation: 'educationLevel',
  desiredProgram: 'programId',
  confirmation: 'consent',
}

export const toRequestField = (control: Field): string => requestNames[control] ?? control

export function toAnswers({ lead }: LeadRequest): Answers {
  const { educationLevel, graduatingYear, programId, ...same } = lead
  return {
    ...emptyAnswers,
    ...same,
    previousEducation: String(educationLevel),
    graduatingYear: String(graduatingYear),
    desiredProgram: String(programId),
    confirmation: 'on',
  }
}

export function toLeadRequest(
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
