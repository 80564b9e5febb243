import { ofAccount, ofNetwork } from '#domain/operator/guessing.ts'
import { emailAddress } from '../../leads/erase-person.ts'
import type { AuditLog } from '../audit/audit.ts'
import type { Operator } from '../operator.ts'
import type { OperatorAccounts } from '../operator-accounts.ts'
import { hashOf } from '../secrets.ts'
import type { Browser, KeepSessions } from '../sessions/keep-sessions.ts'
import type { OperatorCredentials } from './operator-credentials.ts'
import { isPassword } from './password-hash.ts'
import type { SignInFailures } from './sign-in-failures.ts'

export type SignInOutcome =
  /** The browser's new secret. */
  | { readonly kind: 'in'; readonly secret: string }
  /** No such account, another password, or disabled: which it is, nobody is told. */
  | { readonly kind: 'wrong' }
  | { readonly kind: 'wait'; readonly seconds: number }

export interface PasswordPorts {
  readonly accounts: OperatorAccounts
  readonly credentials: Pick<OperatorCredentials, 'password'>
  readonly failures: SignInFailures
  readonly audit: AuditLog
  readonly clock: () => number
}

export interface GivenPassword {
  readonly email: string
  readonly password: string
}

/** From where somebody signed in so lately, others' guesses do not slow them: in milliseconds. */
const networkKnownFor = 90 * 24 * 60 * 60 * 1000

/** So many failures are more than mistyping: they are written down, and again at each hundred. */
const isSuspicious = (failures: number): boolean =>
  failures === ofAccount.free || failures % 100 === 0

export const makeSignInByPassword =
  (ports: PasswordPorts & { readonly keepSessions: KeepSessions }) =>
  async (given: GivenPassword, from: Browser): Promise<SignInOutcome> => {
    const checked = await makeCheckPassword(ports)(given, from)
    if (checked.kind !== 'right') return checked
    const { operator } = checked
    const actor = { ...operator, kind: 'console' as const, strongAt: ports.clock(), ...from }
    await ports.audit.record(actor, { action: 'signed in', reason: 'by password' }, ports.clock())
    return { kind: 'in', secret: await ports.keepSessions.begin(operator, from) }
  }

type Checked =
  | { readonly kind: 'right'; readonly operator: Operator }
  | Exclude<SignInOutcome, { kind: 'in' }>

/** Slowed by account and network: docs/decisions/0173. */
export const makeCheckPassword =
  ({ accounts, credentials, failures, audit, clock }: PasswordPorts) =>
  async ({ email, password }: GivenPassword, from: Browser): Promise<Checked> => {
    const operator = await accounts.findByEmail(emailAddress(email))
    const account = `account ${emailAddress(email)}`
    const isKnownHere =
      operator !== undefined &&
      (await failures.isKnownNetwork(operator.id, from.network, clock() - networkKnownFor))
    const keys = [
      hashOf(isKnownHere ? `${account} at ${from.network}` : account),
      hashOf(`network ${from.network}`),
    ] as const
    const begun = await failures.begin(
      [
        { key: keys[0], slowing: ofAccount },
        { key: keys[1], slowing: ofNetwork },
      ],
      clock(),
    )
    if (begun.kind === 'wait') {
      return { kind: 'wait', seconds: Math.ceil((begun.until - clock()) / 1000) }
    }
    const hash = operator && (await credentials.password(operator.id))
    const isRight = await isPassword(password, hash)
    if (operator !== undefined && isRight && operator.disabledAt === null) {
      await failures.forgive(keys)
      return { kind: 'right', operator }
    }
    if (operator !== undefined && isSuspicious(begun.failures)) {
      const actor = { ...operator, kind: 'console' as const, strongAt: 0, ...from }
      const reason = `${begun.failures} wrong passwords`
      await audit.record(actor, { action: 'was guessed at', reason }, clock())
    }
    return { kind: 'wrong' }
  }
