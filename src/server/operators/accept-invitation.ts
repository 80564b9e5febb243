import type { AuditLog } from './audit/audit.ts'
import type { Operator } from './operator.ts'
import type { OperatorAccounts } from './operator-accounts.ts'
import type { OperatorLinks } from './operator-links.ts'
import { hashOf } from './secrets.ts'
import type { Browser, KeepSessions } from './sessions/keep-sessions.ts'
import type { OperatorSessions } from './sessions/operator-sessions.ts'
import { letIn } from './sign-in/let-in.ts'
import type { OperatorCredentials } from './sign-in/operator-credentials.ts'
import { passwordFault } from './sign-in/password-fault.ts'
import { hashPassword } from './sign-in/password-hash.ts'

interface InvitationPorts {
  readonly accounts: OperatorAccounts
  readonly links: OperatorLinks
  readonly credentials: Pick<OperatorCredentials, 'setPassword'>
  readonly sessions: Pick<OperatorSessions, 'endWaysIn'>
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
  /**
   * Spends it, sets what was chosen, ends other ways in that were open before, and signs in.
   * @param set resolves with whether it was set
   */
  const accept = async (
    { code, from, reason }: { code: string; from: Browser; reason: string },
    set: (operator: Operator) => Promise<boolean>,
  ): Promise<AcceptOutcome> => {
    const id = await links.use(hashOf(code), 'invitation', clock())
    const operator = id === undefined ? undefined : await accounts.find(id)
    if (operator === undefined || operator.disabledAt !== null) return { kind: 'spent' }
    if (!(await set(operator))) return { kind: 'spent' }
    await sessions.endWaysIn(operator.id, undefined)
    const shown = { operator, from, reason, by: { kind: 'link' } } as const
    const secret = await letIn({ keepSessions, audit, clock }, shown)
    return secret === undefined ? { kind: 'spent' } : { kind: 'in', secret }
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
      return accept({ code, from, reason }, ({ id }) =>
        credentials.setPassword(id, { hash, at: clock(), keptSessionId: undefined }),
      )
    },
  }
}

export type AcceptInvitation = ReturnType<typeof makeAcceptInvitation>
