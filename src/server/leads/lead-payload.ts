import * as v from 'valibot'
import type { ProgramType } from '#domain/area.ts'
import type { DegreeType, Program } from '#domain/catalogue/catalogue.ts'
import type { Attribution, Touch } from '#domain/lead/attribution.ts'
import type { ErasedLead, Lead, UnreadableParts } from '#domain/lead/lead.ts'

/** The fields of a lead without a column of their own. */
export type LeadPayload = Omit<Lead, 'id' | 'receivedAt' | 'area' | 'email' | 'consent'>

export type FieldsKeptAfterErasure = Pick<ErasedLead, 'program' | 'gpc'>

/** Accepts any string for a value of a list, because the list may have changed since the visitor chose. */
const makeTextSchema = <Word extends string>() =>
  v.custom<Word>((value) => typeof value === 'string')

const program = v.object({
  id: v.number(),
  name: v.string(),
  active: v.boolean(),
  types: v.array(makeTextSchema<ProgramType>()),
  degreeType: makeTextSchema<DegreeType>(),
}) satisfies v.GenericSchema<unknown, Program>

/** The oldest leads lack this field. */
const gpc = v.optional(v.boolean(), false)

const touchSchema = v.record(v.string(), v.string()) as v.GenericSchema<unknown, Touch>

const attributionSchema = v.object({
  first: touchSchema,
  last: touchSchema,
}) satisfies v.GenericSchema<unknown, Attribution>

/** Reads each field that is readable, because damaged data must not prevent an erasure. */
const erasedPayload = v.fallback(
  v.object({
    program: v.fallback(v.nullable(program), null),
    gpc: v.fallback(v.optional(v.nullable(v.boolean()), false), null),
  }),
  { program: null, gpc: null },
) satisfies v.GenericSchema<unknown, FieldsKeptAfterErasure>

/**
 * The schema of a stored payload. A new field needs a default that is true for leads stored before. A field whose meaning
 * changes needs a new name, because the previous release may read the lead during an upgrade.
 */
const payload = v.pipe(
  v.object({
    program,
    gpc,
    subId: v.nullable(v.string()),
    firstName: v.string(),
    lastName: v.string(),
    phone: v.string(),
    street: v.string(),
    city: v.string(),
    state: v.string(),
    zip: v.string(),
    /** The oldest leads lack this field. */
    zipPlus4: v.optional(v.nullable(v.string()), null),
    addressVerified: v.boolean(),
    /** A lead's `educationLevel`; every release has stored it under this name (reading 20). */
    educationLevelId: v.number(),
    graduatingYear: v.number(),
    startDateId: v.string(),
    /** The oldest leads lack this field. */
    openedAt: v.optional(v.nullable(v.number()), null),
    /** Leads of 0.2.0 lack this field. No delivery needs it, so a lead stays readable if the field is damaged. */
    attribution: v.fallback(v.optional(v.nullable(attributionSchema), null), null),
  }),
  v.transform(({ educationLevelId: educationLevel, ...same }) => ({ ...same, educationLevel })),
) satisfies v.GenericSchema<unknown, LeadPayload>

export function serializePayload(lead: Lead): string {
  const { id, receivedAt, area, email, consent, educationLevel, ...same } = lead
  return JSON.stringify({ ...same, educationLevelId: educationLevel })
}

export const serializeFieldsKeptAfterErasure = (payload: string): string =>
  JSON.stringify(parseFieldsKeptAfterErasure(payload))

/** Reads the fields that survive an erasure, whether the lead is erased or not. */
export const parseFieldsKeptAfterErasure = (stored: string): FieldsKeptAfterErasure =>
  v.parse(erasedPayload, parseStoredJson(stored))

type ReadPayload =
  | { readonly answers: LeadPayload; readonly unreadable?: undefined }
  | { readonly answers?: undefined; readonly unreadable: UnreadableParts }

/** Reads a lead's answers. If they cannot be read, the result names the faulty fields, never their content. */
export function readPayload(stored: string): ReadPayload {
  const parsed = v.safeParse(payload, parseStoredJson(stored))
  if (parsed.success) return { answers: parsed.output }
  const parts = parsed.issues.map((issue) => v.getDotPath(issue) ?? 'the whole lead')
  return { unreadable: { parts } }
}

function parseStoredJson(stored: string): unknown {
  try {
    return JSON.parse(stored)
  } catch {
    // The parser's error message would quote the personal data.
    return undefined
  }
}
