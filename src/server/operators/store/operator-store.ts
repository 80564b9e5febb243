import type { LeadDatabase } from '#server/platform/database/lead-database.ts'
import type { OperatorAccounts } from '../operator-accounts.ts'
import type { OperatorLinks } from '../operator-links.ts'
import type { OperatorSessions } from '../sessions/operator-sessions.ts'
import type { OperatorCredentials } from '../sign-in/operator-credentials.ts'
import type { SignInFailures } from '../sign-in/sign-in-failures.ts'
import type { OperatorIdentities } from '../single-sign-on/operator-identities.ts'
import { forgetEnded } from './forget-ended.ts'
import { makeOperatorAccounts } from './operator-accounts.ts'
import { makeOperatorCredentials } from './operator-credentials.ts'
import { makeOperatorIdentities } from './operator-identities.ts'
import { makeOperatorLinks } from './operator-links.ts'
import { makeOperatorSessions } from './operator-sessions.ts'
import { makeSignInFailures } from './sign-in-failures.ts'

/** Who works on the console, and how they come in. */
export interface OperatorStore {
  readonly accounts: OperatorAccounts
  readonly links: OperatorLinks
  readonly sessions: OperatorSessions
  readonly credentials: OperatorCredentials
  readonly identities: OperatorIdentities
  readonly failures: SignInFailures
  /** See forget-ended.ts. */
  forgetEnded(now: number): Promise<void>
}

export const makeOperatorStore = ({
  db,
  locking,
}: Pick<LeadDatabase, 'db' | 'locking'>): OperatorStore => ({
  accounts: makeOperatorAccounts(db),
  links: makeOperatorLinks(db, locking),
  sessions: makeOperatorSessions(db),
  credentials: makeOperatorCredentials(db),
  identities: makeOperatorIdentities(db),
  failures: makeSignInFailures(db),
  forgetEnded: (now) => forgetEnded(db, now),
})
