import { ofAccount, ofBrowser, ofNetwork } from '#domain/operator/guessing.ts'
import { emailAddress } from '#server/platform/email-address.ts'
import type { AuditLog } from '../audit/audit.ts'
import type { Operator } from '../operator.ts'
import type { Browser, KeepSessions } from '../sessions/keep-sessions.ts'
import { letIn } from './let-in.ts'
import type { OperatorCredentials } from './operator-credentials.ts'
import { isPassword } from './password-hash.ts'
import { guessKey, type SignInFailures } from './sign-in-failures.ts'

export type SignInOutcome =
  /** The browser's new secret. */
  | { readonly kind: 'in'; readonly secret: string }
  /** No such account, another password, or disabled: which it is, nobody is told. */
  | { readonly kind: 'wrong' }
  | { readonly kind: 'wait'; readonly seconds: number }

export interface PasswordPorts {
  readonly credentials: Pick<OperatorCredentials, 'passwordOf'>
  readonly failures: SignInFailures
  readonly audit: AuditLog
  readonly clock: () => number
}

export interface GivenPassword {
  readonly email: string
  readonly password: string
  /** The account's own browser or session that it comes from: its tries are counted by it alone. Undefined for a stranger. */
  readonly knownAs: string | undefined
}

/** So many failures are more than mistyping. Written down ever more seldom, as nothing is removed from the audit. */
const isSuspicious = (failures: number): boolean =>
  [1, 10, 100, 1000].some((times) => failures === times * ofAccount.free)

export const makeSignInByPassword =
  (ports: PasswordPorts & { readonly keepSessions: KeepSessions }) =>
  async (given: GivenPassword, from: Browser): Promise<SignInOutcome> => {
    const checked = await makeCheckPassword(ports)(given, from)
    if (checked.kind !== 'right') return checked
    const { operator, hash } = checked
    const by = { kind: 'password', hash } as const
    const secret = await letIn(ports, { operator, from, reason: 'by password', by })
    return secret === undefined ? { kind: 'wrong' } : { kind: 'in', secret }
  }

type Checked =
  | { readonly kind: 'right'; readonly operator: Operator; readonly hash: string }
  | Exclude<SignInOutcome, { kind: 'in' }>

/**
 * Slowed by account and network, or by the browser that is known. A wrong password costs the same
 * statements and the same hash whether there is such an account or not.
 */
export const makeCheckPassword =
  ({ credentials, failures, audit, clock }: PasswordPorts) =>
  async ({ email, password, knownAs }: GivenPassword, from: Browser): Promise<Checked> => {
    const account = emailAddress(email)
    const own =
      knownAs === undefined
        ? { key: guessKey('account', account), slowing: ofAccount }
        : { key: guessKey('browser', account, knownAs), slowing: ofBrowser }
    const network =
      knownAs === undefined ? [{ key: guessKey('network', from.network), slowing: ofNetwork }] : []
    const beganAt = clock()
    const begun = await failures.begin([own, ...network], beganAt)
    if (begun.kind === 'wait') {
      return { kind: 'wait', seconds: Math.ceil((begun.until - clock()) / 1000) }
    }
    const { operator, hash } = (await credentials.passwordOf(account)) ?? {}
    const isRight = await isPassword(password, hash)
    if (operator !== undefined && hash !== undefined && isRight && operator.disabledAt === null) {
      await failures.forget(own.key)
      for (const { key } of network) await failures.takeBack(key, beganAt)
      return { kind: 'right', operator, hash }
    }
    if (operator !== undefined && isSuspicious(begun.failures)) {
      const actor = { ...operator, kind: 'console' as const, lastAuthenticatedAt: 0, ...from }
      const reason = `${begun.failures} wrong passwords`
      const entry = { action: 'was guessed at', reason } as const
      // Not waited for: the wait would tell that there is such an account. Whoever is not answered at all sees the store's failureLog.
      void audit.record(actor, entry, clock()).catch(() => undefined)
    }
    return { kind: 'wrong' }
  }
