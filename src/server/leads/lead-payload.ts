import * as v from 'valibot'
import type { ProgramType } from '#domain/area.ts'
import type { DegreeType, Program } from '#domain/catalogue/catalogue.ts'
import { type Attribution, parseTouch, type Touch } from '#domain/lead/attribution.ts'
import type { ErasedLead, Lead, UnreadableParts } from '#domain/lead/lead.ts'

/** The fields of a lead without a column of their own. */
export type LeadPayload = Omit<Lead, 'id' | 'receivedAt' | 'area' | 'email' | 'consent'>

export type FieldsKeptAfterErasure = Pick<ErasedLead, 'program' | 'gpc'>

/** Makes the schema of a value that a visitor chose from a list. The list may have changed, so any text is valid. */
const makeTextSchema = <Word extends string>() =>
  v.custom<Word>((value) => typeof value === 'string')

const program = v.object({
  id: v.number(),
  name: v.string(),
  active: v.boolean(),
  types: v.array(makeTextSchema<ProgramType>()),
  degreeType: makeTextSchema<DegreeType>(),
}) satisfies v.GenericSchema<unknown, Program>

/** The oldest leads lack `gpc`. */
const gpc = v.optional(v.boolean(), false)

/** The rules for touches apply again, because earlier versions have stored placeholders as click ids. */
const touchSchema = v.pipe(
  v.record(v.string(), v.string()),
  v.transform((touch): Touch => parseTouch(Object.entries(touch), true)),
)

const attributionSchema = v.object({
  first: touchSchema,
  last: touchSchema,
}) satisfies v.GenericSchema<unknown, Attribution>

/** The schema of the fields that an erasure keeps. A damaged field becomes null and prevents no erasure. */
const erasedPayload = v.fallback(
  v.object({
    program: v.fallback(v.nullable(program), null),
    gpc: v.fallback(v.optional(v.nullable(v.boolean()), false), null),
  }),
  { program: null, gpc: null },
) satisfies v.GenericSchema<unknown, FieldsKeptAfterErasure>

/**
 * The schema of a stored payload. A new field needs a default that is true for earlier leads. A field whose meaning
 * changes needs a new name, because the previous version may read the lead during an upgrade.
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
    /** The oldest leads lack `zipPlus4`. */
    zipPlus4: v.optional(v.nullable(v.string()), null),
    addressVerified: v.boolean(),
    /** A lead's `educationLevel`, which every version has stored under this name (reading 20). */
    educationLevelId: v.number(),
    graduatingYear: v.number(),
    startDateId: v.string(),
    /** The oldest leads lack `openedAt`. */
    openedAt: v.optional(v.nullable(v.number()), null),
    /** Leads of release 0.2.0 lack `attribution`. A lead without attribution stays readable: no delivery needs it. */
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

/** Reads the fields that an erasure keeps, whether the lead is erased or not. */
export const parseFieldsKeptAfterErasure = (stored: string): FieldsKeptAfterErasure =>
  v.parse(erasedPayload, parseStoredJson(stored))

type ReadPayload =
  | { readonly answers: LeadPayload; readonly unreadable?: undefined }
  | { readonly answers?: undefined; readonly unreadable: UnreadableParts }

/** Reads a lead's answers. If the answers cannot be read, the result names the faulty fields, never their content. */
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
