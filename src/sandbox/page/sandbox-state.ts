import type { Switches } from '../answers/switches.ts'
import type { CallList } from '../calls/call-list.ts'
import type { Ledger } from '../calls/ledger.ts'

/** What the page shows, read anew at each look. */
export interface SandboxState {
  readonly ledger: Ledger
  readonly calls: CallList
  readonly switches: Switches
}

/** Rows of each table: a page is read by a person. `GET /ledger` has all that is kept. */
export const mostRows = 50
