import type { Area } from '#domain/area.ts'
import type { Program } from '#domain/catalogue/catalogue.ts'

/** The text that the visitor agreed to, kept as proof. */
export interface Consent {
  /** The disclosure exactly as it was shown. */
  readonly text: string
  /** SHA-256 of `text`, hex. */
  readonly textHash: string
  /** Epoch milliseconds. */
  readonly at: number
  readonly ip: string
  readonly userAgent: string
  /** The page that the form stood on, without its query. */
  readonly pageUrl: string
}

/** An accepted enquiry as stored, with the visitor's own answers (reading 7). */
export interface Lead {
  readonly id: string
  /** Epoch milliseconds. */
  readonly receivedAt: number
  readonly area: Area
  /** The affiliate id that the visitor came with. */
  readonly subId: string | null
  readonly firstName: string
  readonly lastName: string
  /** Ten digits. */
  readonly phone: string
  readonly email: string
  readonly street: string
  readonly city: string
  readonly state: string
  /** Five digits, as typed (reading 12). */
  readonly zip: string
  /** The address check's ZIP+4, like 34236-5610; never sent (reading 12). */
  readonly zipPlus4: string | null
  /** False where the visitor typed city and state (reading 11), or kept a street that the service has not found. */
  readonly addressVerified: boolean
  readonly educationLevel: number
  readonly graduatingYear: number
  /** The program as the catalogue had it when the visitor chose it. */
  readonly program: Program
  /** The visitor's choice; the wire carries a fixed id (reading 7). */
  readonly startDateId: string
  /** The browser asked not to sell or share its visitor's data (Global Privacy Control). */
  readonly gpc: boolean
  /** When the browser opened the page: epoch milliseconds. Null where it doesn't say, as without JavaScript. */
  readonly openedAt: number | null
  readonly consent: Consent
}

/** `request`: the person asked for it; `retention`: its time was over. */
export type ErasedBy = 'request' | 'retention'

/** The facts of a lead that remain after its person's data are erased. */
export interface ErasedLead extends Pick<Lead, 'id' | 'receivedAt' | 'area'> {
  /** Null, as is `gpc`, where it could not be read. */
  readonly program: Program | null
  readonly gpc: boolean | null
  /** Epoch milliseconds. */
  readonly erasedAt: number
  readonly erasedBy: ErasedBy
  /** On request without `ip` and `userAgent`, which are empty then; null once its own time is over, too. */
  readonly consent: Consent | null
}

/** Why a stored lead cannot be read. */
export interface Unreadable {
  /** The names of the faulty parts, never their content. */
  readonly parts: readonly string[]
  /** A newer release has written it otherwise than this one reads. Else it is damaged. */
  readonly isNewer: boolean
}

/** A stored lead whose answers cannot be read. Fields outside this list are known. */
export interface UnreadableLead extends Pick<Lead, 'id' | 'receivedAt' | 'area' | 'email'> {
  readonly unreadable: Unreadable
  readonly consent: Consent | null
}

/** For a browser's `pattern`, which matches the whole value. */
export const leadIdPattern = String.raw`[\da-fA-F]{8}(?:-[\da-fA-F]{4}){3}-[\da-fA-F]{12}`

const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/

/** Whether a text can be a lead's id. Don't log a malformed one: it may be anything, even a person's address. */
export const isLeadId = (text: string): boolean => uuid.test(text)

/** Why, and what to do. */
export const describeUnreadable = ({ parts, isNewer }: Unreadable): string =>
  isNewer
    ? 'a newer release has written it, which this one cannot read: use that one.'
    : `what is stored of it cannot be read (${parts.join(', ')}): docs/runbook.md, “A lead cannot be read”.`
