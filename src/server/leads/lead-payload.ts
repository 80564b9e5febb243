import * as v from 'valibot'
import { addFormerNames } from '#domain/enquiry/former-names.ts'
import { type Attribution, parseTouch, type Touch } from '#domain/lead/attribution.ts'
import type { ErasedLead, Lead, UnreadableParts } from '#domain/lead/lead.ts'
import {
  findStoredAnswer,
  programSchema,
  type StoredAnswers,
  type StoredName,
  storedNames,
} from '#domain/lead/stored-answers.ts'

/** The fields of a lead without a column of their own. */
export type LeadPayload = Omit<Lead, 'id' | 'receivedAt' | 'area' | 'email' | 'consent'>

export type FieldsKeptAfterErasure = Pick<ErasedLead, 'program' | 'gpc'>

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
    program: v.fallback(v.nullable(programSchema), null),
    gpc: v.fallback(v.optional(v.nullable(v.boolean()), false), null),
  }),
  { program: null, gpc: null },
) satisfies v.GenericSchema<unknown, FieldsKeptAfterErasure>

/** The schemas of the answers but the email address, which has a column of its own. */
const answerSchemas = Object.fromEntries(
  storedNames
    .filter((name) => name !== 'email')
    .map((name) => [name, findStoredAnswer(name).schema]),
) as {
  readonly [Name in Exclude<StoredName, 'email'>]: v.GenericSchema<unknown, StoredAnswers[Name]>
}

/**
 * The schema of a stored payload. A new field needs a default that is true for earlier leads. A field whose meaning
 * changes needs a new name, because the previous version may read the lead during an upgrade.
 */
const payload = v.pipe(
  v.record(v.string(), v.unknown()),
  // Releases up to 0.3.0 have stored three answers under other names.
  v.transform(({ street, educationLevelId, startDateId, ...stored }) => ({
    address: street,
    educationLevel: educationLevelId,
    startDate: startDateId,
    ...stored,
  })),
  v.object({
    ...answerSchemas,
    gpc,
    subId: v.nullable(v.string()),
    /** The oldest leads lack `zipPlus4`. */
    zipPlus4: v.optional(v.nullable(v.string()), null),
    addressVerified: v.boolean(),
    /** The oldest leads lack `openedAt`. */
    openedAt: v.optional(v.nullable(v.number()), null),
    /** Leads of release 0.2.0 lack `attribution`. A lead without attribution stays readable: no delivery needs it. */
    attribution: v.fallback(v.optional(v.nullable(attributionSchema), null), null),
  }),
) satisfies v.GenericSchema<unknown, LeadPayload>

export function serializePayload(lead: Lead): string {
  const { id, receivedAt, area, email, consent, ...stored } = lead
  return JSON.stringify(addFormerNames(stored))
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
