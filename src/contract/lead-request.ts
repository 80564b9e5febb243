import * as v from 'valibot'
import { areas } from '#domain/area.ts'
import { zipPlus4Pattern } from '#domain/enquiry/address.ts'
import {
  type Answers,
  answerDefinitions,
  emptyAnswers,
  type Field,
  fields,
} from '#domain/enquiry/answers.ts'
import { attributionField, disclosureField, honeypotField } from './api-constants.ts'

/** Makes the schema of a value that the browser adds, not the visitor. A malformed value becomes undefined. */
const makeLenientSchema = <Schema extends v.GenericSchema>(schema: Schema) =>
  v.fallback(v.optional(schema), undefined)

type Definitions = typeof answerDefinitions

/** The names of the answers in a request. The consent stands beside them. */
type RequestField = Exclude<Field, 'confirmation'>

type NumberField = {
  [Name in RequestField]: Definitions[Name] extends { isNumber: true } ? Name : never
}[RequestField]

type RequestAnswers = { [Name in RequestField]: Name extends NumberField ? number : string }

const requestFields = fields.filter((field) => field !== 'confirmation')

const isNumberField = (field: RequestField): field is NumberField =>
  'isNumber' in answerDefinitions[field]

function makeAnswerSchema(field: RequestField): v.GenericSchema<unknown> {
  const schema = isNumberField(field) ? v.number() : v.string()
  return 'isNew' in answerDefinitions[field] ? v.optional(schema) : schema
}

const answerSchemas = Object.fromEntries(
  requestFields.map((field) => [field, makeAnswerSchema(field)]),
) as {
  readonly [Name in RequestField]: Definitions[Name] extends { isNew: true }
    ? v.OptionalSchema<v.GenericSchema<RequestAnswers[Name]>, undefined>
    : v.GenericSchema<RequestAnswers[Name]>
}

/** The schema of the body of `POST /api/leads`. The rules of the answers check the answers in the body. */
export const leadRequestSchema = v.object({
  lead: v.object(answerSchemas),
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
  /** Absent in the requests of other programs, and of pages that release 0.3.0 has served. */
  [disclosureField]: makeLenientSchema(v.string()),
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

export const toAnswers = ({ lead }: LeadRequest): Answers => ({
  ...emptyAnswers,
  ...mapAnswers((field) => (field in lead ? String(lead[field]) : emptyAnswers[field])),
  confirmation: 'on',
})

export const toLeadRequest = (
  answers: Answers,
  rest: Omit<LeadRequest, 'lead' | 'consent'>,
): LeadRequest => ({
  lead: mapAnswers((field) =>
    isNumberField(field) ? Number(answers[field]) : answers[field],
  ) as RequestAnswers,
  consent: true,
  ...rest,
})

const mapAnswers = <Value>(read: (field: RequestField) => Value) =>
  Object.fromEntries(requestFields.map((field) => [field, read(field)])) as {
    [Name in RequestField]: Value
  }
