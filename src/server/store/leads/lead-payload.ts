import * as v from 'valibot'
import type { ProgramType } from '#domain/area.ts'
import type { DegreeType, Program } from '#domain/catalogue/program.ts'
import type { Lead } from '#domain/lead/lead.ts'
import { OwnError } from '#domain/own-error.ts'

/** What of a lead has no column of its own. */
export type LeadPayload = Omit<Lead, 'id' | 'receivedAt' | 'area' | 'email' | 'consent'>

/** What of it stays when the lead is erased. */
export type ErasedPayload = Pick<LeadPayload, 'program' | 'gpc'>

/** A word of a list. Which words it has now is of no matter: it is what the visitor chose from the list of then. */
const word = <Word extends string>() => v.custom<Word>((value) => typeof value === 'string')

const program = v.object({
  id: v.number(),
  name: v.string(),
  active: v.boolean(),
  types: v.array(word<ProgramType>()),
  degreeType: word<DegreeType>(),
}) satisfies v.GenericSchema<unknown, Program>

const kept = {
  program,
  /** Not noted at first. */
  gpc: v.optional(v.boolean(), false),
}

const erasedPayload = v.object(kept) satisfies v.GenericSchema<unknown, ErasedPayload>

/**
 * What came later than the first lead has what is true of those before it: they are stored as they were written, and a part
 * that they lack would be undefined wherever it is read.
 */
const payload = v.object({
  ...kept,
  subId: v.nullable(v.string()),
  firstName: v.string(),
  lastName: v.string(),
  phone: v.string(),
  street: v.string(),
  city: v.string(),
  state: v.string(),
  zip: v.string(),
  /** Not noted at first. */
  zipPlus4: v.optional(v.nullable(v.string()), null),
  addressVerified: v.boolean(),
  educationLevelId: v.number(),
  graduatingYear: v.number(),
  startDateId: v.string(),
}) satisfies v.GenericSchema<unknown, LeadPayload>

export function payloadOf(lead: Lead): string {
  const { id, receivedAt, area, email, consent, ...payload } = lead
  return JSON.stringify(payload satisfies LeadPayload)
}

export function erasedPayloadOf(payload: string): string {
  const { program, gpc } = readErasedPayload(payload)
  return JSON.stringify({ program, gpc } satisfies ErasedPayload)
}

export const readPayload = (stored: string): LeadPayload => read(payload, stored)

/** Of an erased lead's payload, or of a whole one. */
export const readErasedPayload = (stored: string): ErasedPayload => read(erasedPayload, stored)

/** A stored lead that is not as any release has written it: somebody's hand, or a damaged file. */
export class UnreadableLeadError extends OwnError {
  override readonly name = 'UnreadableLeadError'
}

/** @throws UnreadableLeadError that names the parts which are at fault, never what they hold */
function read<Payload>(schema: v.GenericSchema<unknown, Payload>, stored: string): Payload {
  const parsed = v.safeParse(schema, parseStored(stored))
  if (parsed.success) return parsed.output
  const parts = parsed.issues.map((issue) => v.getDotPath(issue) ?? 'all of it').join(', ')
  throw new UnreadableLeadError(`a stored lead cannot be read: ${parts}`)
}

function parseStored(stored: string): unknown {
  try {
    return JSON.parse(stored)
  } catch {
    // The parser's own words quote what it read.
    return undefined
  }
}
