import type { AuditLog } from './audit/audit.ts'
import type { Operator } from './operator.ts'
import type { OperatorAccounts } from './operator-accounts.ts'
import type { OperatorLinks } from './operator-links.ts'
import { hashOf } from './secrets.ts'
import type { Browser, KeepSessions } from './sessions/keep-sessions.ts'
import type { OperatorSessions } from './sessions/operator-sessions.ts'
import type { OperatorCredentials } from './sign-in/operator-credentials.ts'
import { passwordFault } from './sign-in/password-fault.ts'
import { hashPassword } from './sign-in/password-hash.ts'

interface InvitationPorts {
  readonly accounts: OperatorAccounts
  readonly links: OperatorLinks
  readonly credentials: Pick<OperatorCredentials, 'setPassword'>
  readonly sessions: Pick<OperatorSessions, 'endOthers'>
  readonly keepSessions: KeepSessions
  readonly audit: AuditLog
  readonly clock: () => number
}

export type AcceptOutcome =
  | { readonly kind: 'in'; readonly secret: string }
  /** In words, at the password's field; the invitation is still good. */
  | { readonly kind: 'fault'; readonly fault: string }
  | { readonly kind: 'spent' }

/** An invitation is good for one passkey or password; what is at fault does not spend it. */
export function makeAcceptInvitation(ports: InvitationPorts) {
  const { accounts, links, credentials, sessions, keepSessions, audit, clock } = ports
  const find = async (code: string): Promise<Operator | undefined> => {
    const id = await links.find(hashOf(code), 'invitation', clock())
    return id === undefined ? undefined : accounts.find(id)
  }
  /** Spends it, sets what was chosen, ends other ways in that were open before, and signs in. */
  const accept = async (
    { code, from, reason }: { code: string; from: Browser; reason: string },
    set: (operator: Operator) => Promise<void>,
  ): Promise<AcceptOutcome> => {
    const id = await links.use(hashOf(code), 'invitation', clock())
    const operator = id === undefined ? undefined : await accounts.find(id)
    if (operator === undefined || operator.disabledAt !== null) return { kind: 'spent' }
    await set(operator)
    // First, or somebody would come in by it while the sessions are ended.
    await links.withdraw(operator.id, 'sign-in')
    await sessions.endOthers(operator.id, undefined)
    const actor = { ...operator, kind: 'console' as const, strongAt: clock(), ...from }
    await audit.record(actor, { action: 'signed in', reason }, clock())
    return { kind: 'in', secret: await keepSessions.begin(operator, from) }
  }
  return {
    find,
    accept,
    byPassword: async (code: string, password: string, from: Browser): Promise<AcceptOutcome> => {
      const operator = await find(code)
      if (operator === undefined) return { kind: 'spent' }
      const fault = await passwordFault(password, operator.email)
      if (fault !== undefined) return { kind: 'fault', fault }
      const hash = await hashPassword(password)
      const reason = 'by an invitation, with a password'
      return accept({ code, from, reason }, ({ id }) => credentials.setPassword(id, hash, clock()))
    },
  }
}

export type AcceptInvitation = ReturnType<typeof makeAcceptInvitation>
