import type { OperatorAccounts } from '#server/use-cases/operators/operator-accounts.ts'
import type { OperatorLinks } from '#server/use-cases/operators/operator-links.ts'
import type { FormStore } from '#server/use-cases/operators/sessions/keep-forms.ts'
import type { OperatorSessions } from '#server/use-cases/operators/sessions/operator-sessions.ts'
import type { OperatorCredentials } from '#server/use-cases/operators/sign-in/operator-credentials.ts'
import type { SignInFailures } from '#server/use-cases/operators/sign-in/sign-in-failures.ts'
import type { OperatorIdentities } from '#server/use-cases/operators/single-sign-on/operator-identities.ts'
import type { LeadDatabase } from '../lead-database.ts'
import { forgetEnded } from './forget-ended.ts'
import { makeFormStore } from './form-store.ts'
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
  readonly forms: FormStore
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
  forms: makeFormStore(db),
  forgetEnded: (now) => forgetEnded(db, now),
})
