import type { Area } from '#domain/area.ts'
import type { Program } from '#domain/catalogue/catalogue.ts'
import type { Attribution } from './attribution.ts'
import type { StoredAnswers } from './stored-answers.ts'

/** The proof that a visitor agreed to the disclosure. */
export interface Consent {
  /** The disclosure exactly as the visitor saw it. */
  readonly text: string
  /** The SHA-256 hash of `text`, in hexadecimal digits. */
  readonly textHash: string
  readonly at: number
  readonly ip: string
  readonly userAgent: string
  /** The URL of the page with the form, without its query. */
  readonly pageUrl: string
}

/** A stored enquiry, with the visitor's own answers (reading 7): see `storedAnswers`. */
export interface Lead extends StoredAnswers {
  readonly id: string
  readonly receivedAt: number
  readonly area: Area
  /** The affiliate id from the link that brought the visitor. */
  readonly subId: string | null
  /** The ZIP+4 that the address check found, like 34236-5610. The distributor never receives a ZIP+4 (reading 12). */
  readonly zipPlus4: string | null
  /** Whether the address service found the address; false if the visitor typed city and state (reading 11). */
  readonly addressVerified: boolean
  /** True if the browser asked not to sell or share its visitor's data (Global Privacy Control). */
  readonly gpc: boolean
  /** When the browser opened the page, in epoch milliseconds; null if unknown, for example without JavaScript. */
  readonly openedAt: number | null
  /** Where the visitor came from, which is never sent; null if unknown, as for leads of earlier versions. */
  readonly attribution: Attribution | null
  readonly consent: Consent
}

/** `request`: the person asked for the erasure. `retention`: the retention period ended. */
export type ErasureCause = 'request' | 'retention'

/** The parts of a lead that remain after its personal data are erased. */
export interface ErasedLead extends Pick<Lead, 'id' | 'receivedAt' | 'area'> {
  /** The program; null, like `gpc`, if the stored lead could not be read. */
  readonly program: Program | null
  readonly gpc: boolean | null
  readonly erasedAt: number
  readonly erasedBy: ErasureCause
  /** The proof of consent; null after its retention period. An erasure on request empties `ip` and `userAgent`. */
  readonly consent: Consent | null
}

export interface UnreadableParts {
  /** The names of the unreadable parts, never their content. */
  readonly parts: readonly string[]
}

/** A stored lead whose answers cannot be read, so that only a few fields are known. */
export interface UnreadableLead extends Pick<Lead, 'id' | 'receivedAt' | 'area' | 'email'> {
  readonly unreadable: UnreadableParts
  readonly consent: Consent | null
}

/** The pattern of a lead id for HTML's `pattern` attribute, which matches the whole value. */
export const leadIdPattern = String.raw`[\da-fA-F]{8}(?:-[\da-fA-F]{4}){3}-[\da-fA-F]{12}`

const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/

/** Returns whether a text can be a lead's id. Don't log a malformed id: it may be anything, even a person's address. */
export const isLeadId = (text: string): boolean => uuid.test(text)

/** Tells the operator why the lead cannot be read, and where the remedy is. */
export const describeUnreadable = ({ parts }: UnreadableParts): string =>
  `its stored answers cannot be read (${parts.join(', ')}): see docs/runbook.md, “A lead cannot be read”.`
