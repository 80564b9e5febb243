import * as v from 'valibot'
import type { ProgramType } from '#domain/area.ts'
import type { DegreeType, Program } from '#domain/catalogue/catalogue.ts'
import type { ErasedLead, Lead, Unreadable } from '#domain/lead/lead.ts'
import { OwnError } from '#domain/own-error.ts'

/** What of a lead has no column of its own. */
export type LeadPayload = Omit<Lead, 'id' | 'receivedAt' | 'area' | 'email' | 'consent'>

/** What of it stays when the lead is erased. */
export type ErasedPayload = Pick<ErasedLead, 'program' | 'gpc'>

/** A word of a list. Which words it has now is of no matter: it is what the visitor chose from the list of then. */
const word = <Word extends string>() => v.custom<Word>((value) => typeof value === 'string')

const program = v.object({
  id: v.number(),
  name: v.string(),
  active: v.boolean(),
  types: v.array(word<ProgramType>()),
  degreeType: word<DegreeType>(),
}) satisfies v.GenericSchema<unknown, Program>

/** Not noted at first. */
const gpc = v.optional(v.boolean(), false)

/** Each part that can be read: that a person's data go must not fail over a part that is damaged. */
const erasedPayload = v.fallback(
  v.object({ program: v.fallback(v.nullable(program), null), gpc: v.fallback(keptGpc(), null) }),
  { program: null, gpc: null },
) satisfies v.GenericSchema<unknown, ErasedPayload>

function keptGpc() {
  return v.optional(v.nullable(v.boolean()), false)
}

/**
 * What came later than the first lead has what is true of those before it: they are stored as they were written, and a part
 * that they lack would be undefined wherever it is read.
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
    /** Not noted at first. */
    zipPlus4: v.optional(v.nullable(v.string()), null),
    addressVerified: v.boolean(),
    /** A lead's `educationLevel`, by the name that every release has stored it by (reading 20). */
    educationLevelId: v.number(),
    graduatingYear: v.number(),
    startDateId: v.string(),
    /** Not noted at first. */
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

/** Of an erased lead's payload, or of a whole one: whatever of it can be read. */
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
export class UnreadableLeadError extends OwnError {
  override readonly name = 'UnreadableLeadError'
  readonly unreadable: Unreadable

  constructor(unreadable: Unreadable) {
    super(`a stored lead cannot be read: ${unreadable.parts.join(', ')}`)
    this.unreadable = unreadable
  }
}

/** @throws UnreadableLeadError that names the parts which are at fault, never what they hold */
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

/** What `read` returns; where it meets a lead that cannot be read, what `otherwise` does. */
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
