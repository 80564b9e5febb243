import type { AuditLog } from '../audit/audit.ts'
import type { OperatorAccounts } from '../operator-accounts.ts'
import type { OperatorLinks } from '../operator-links.ts'
import { hashOf, newSecret } from '../secrets.ts'
import type { Browser, KeepSessions } from '../sessions/keep-sessions.ts'
import { letIn } from './let-in.ts'

interface SignInByLinkPorts {
  readonly accounts: OperatorAccounts
  readonly links: OperatorLinks
  readonly keepSessions: KeepSessions
  readonly audit: AuditLog
  readonly clock: () => number
}

/** Spends a link for one sign-in; resolves with the browser's secret, undefined where the link is none any more. */
export const makeSignInByLink =
  ({ accounts, links, keepSessions, audit, clock }: SignInByLinkPorts) =>
  async (code: string, from: Browser): Promise<string | undefined> => {
    const id = await links.use(hashOf(code), 'sign-in', clock())
    const operator = id === undefined ? undefined : await accounts.find(id)
    if (operator === undefined || operator.disabledAt !== null) return undefined
    const shown = { operator, from, reason: 'by a link', by: { kind: 'link' } } as const
    return letIn({ keepSessions, audit, clock }, shown)
  }

/** Resolves with the code of a new link; the operator's earlier one ends. */
export async function makeSignInLink(
  links: OperatorLinks,
  operatorId: string,
  expiresAt: number,
): Promise<string> {
  const code = newSecret()
  await links.make({ codeHash: hashOf(code), operatorId, purpose: 'sign-in', expiresAt })
  return code
}
