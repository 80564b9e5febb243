import * as v from 'valibot'
import type { ProgramType } from '#domain/area.ts'
import type { DegreeType, Program } from '#domain/catalogue/catalogue.ts'
import type { ErasedLead, Lead, Unreadable } from '#domain/lead/lead.ts'
import { LoggableError } from '#domain/loggable-error.ts'

/** The parts of a lead without a column of their own. */
export type LeadPayload = Omit<Lead, 'id' | 'receivedAt' | 'area' | 'email' | 'consent'>

/** The parts that remain when the lead is erased. */
export type ErasedPayload = Pick<ErasedLead, 'program' | 'gpc'>

/**
 * A word of a list. The list's present words do not matter: the visitor chose from the list of
 * that time.
 */
const knownText = <Word extends string>() => v.custom<Word>((value) => typeof value === 'string')

const program = v.object({
  id: v.number(),
  name: v.string(),
  active: v.boolean(),
  types: v.array(knownText<ProgramType>()),
  degreeType: knownText<DegreeType>(),
}) satisfies v.GenericSchema<unknown, Program>

/** Missing in the oldest leads. */
const gpc = v.optional(v.boolean(), false)

/** Each part that can be read: that a person's data go must not fail over a part that is damaged. */
const erasedPayload = v.fallback(
  v.object({ program: v.fallback(v.nullable(program), null), gpc: v.fallback(storedGpc(), null) }),
  { program: null, gpc: null },
) satisfies v.GenericSchema<unknown, ErasedPayload>

function storedGpc() {
  return v.optional(v.nullable(v.boolean()), false)
}

/**
 * A field added after the first lead has a default that is true of older leads: they are stored as
 * written, and a missing field would be undefined for every reader.
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
    /** Missing in the oldest leads. */
    zipPlus4: v.optional(v.nullable(v.string()), null),
    addressVerified: v.boolean(),
    /** A lead's `educationLevel`, by the name that every release has stored it by (reading 20). */
    educationLevelId: v.number(),
    graduatingYear: v.number(),
    startDateId: v.string(),
    /** Missing in the oldest leads. */
    openedAt: v.optional(v.nullable(v.number()), null),
  }),
  v.transform(({ educationLevelId: educationLevel, ...same }) => ({ ...same, educationLevel })),
) satisfies v.GenericSchema<unknown, LeadPayload>

export function payloadOf(lead: Lead): string {
  const { id, receivedAt, area, email, consent, educationLevel, ...same } = lead
  return JSON.stringify({ ...same, educationLevelId: educationLevel })
}

export const erasedPayloadOf = (payload: string): string =>
  JSON.stringify(readErasedPayload(payload))

/** The readable parts of a payload, whether the lead is erased or not. */
export const readErasedPayload = (stored: string): ErasedPayload =>
  v.parse(erasedPayload, parseStored(stored))

/**
 * How payloads are written, which is not noted in them: a release that writes them otherwise, so that this one would read
 * something else or nothing, notes a higher `format`.
 */
const knownFormat = 1

const ofNewerRelease = v.object({
  format: v.pipe(v.number(), v.minValue(knownFormat + 1)),
})

/** A stored lead that is not as this release or one before has written it. */
export class UnreadableLeadError extends LoggableError {
  override readonly name = 'UnreadableLeadError'
  readonly unreadable: Unreadable

  constructor(unreadable: Unreadable) {
    super(`a stored lead cannot be read: ${unreadable.parts.join(', ')}`)
    this.unreadable = unreadable
  }
}

/** @throws UnreadableLeadError that names the faulty parts, never their content */
export function readPayload(stored: string): LeadPayload {
  const value = parseStored(stored)
  if (v.is(ofNewerRelease, value)) {
    throw new UnreadableLeadError({ parts: ['format'], isNewer: true })
  }
  const parsed = v.safeParse(payload, value)
  if (parsed.success) return parsed.output
  const parts = parsed.issues.map((issue) => v.getDotPath(issue) ?? 'all of it')
  throw new UnreadableLeadError({ parts, isNewer: false })
}

/** Returns `read()`; for a lead that cannot be read, `otherwise()`. */
export function orUnreadable<Read, Otherwise>(
  read: () => Read,
  otherwise: (unreadable: Unreadable) => Otherwise,
): Read | Otherwise {
  try {
    return read()
  } catch (error) {
    if (error instanceof UnreadableLeadError) return otherwise(error.unreadable)
    throw error
  }
}

/** Undefined where it can be read. */
export const whyUnreadable = (stored: string): Unreadable | undefined =>
  orUnreadable(
    () => void readPayload(stored),
    (unreadable) => unreadable,
  )

function parseStored(stored: string): unknown {
  try {
    return JSON.parse(stored)
  } catch {
    // The parser's own words quote what it read.
    return undefined
  }
}
