import { randomUUIDv7 } from 'node:crypto'
import type { Role } from '#domain/operator/role.ts'
import { emailAddress } from '#server/platform/email-address.ts'
import { type AuditEntry, type AuditLog, audited } from './audit/audit.ts'
import { authorise } from './authorise.ts'
import type { Actor, Operator } from './operator.ts'
import type { ListedOperator, OperatorAccounts } from './operator-accounts.ts'
import type { LinkPurpose, OperatorLinks } from './operator-links.ts'
import { hashOf, newSecret } from './secrets.ts'
import type { OperatorIdentities } from './single-sign-on/operator-identities.ts'

interface ManagePorts {
  readonly accounts: OperatorAccounts
  readonly links: OperatorLinks
  readonly identities: Pick<OperatorIdentities, 'unlink'>
  readonly audit: AuditLog
  readonly clock: () => number
}

/** In milliseconds. An invitation is sent; a sign-in link is used by who made it. */
export const linkHolds: Readonly<Record<LinkPurpose, number>> = {
  invitation: 24 * 60 * 60 * 1000,
  'sign-in': 15 * 60 * 1000,
}

/** The link's code, and until when it is good: epoch milliseconds. */
interface MadeLink {
  readonly code: string
  readonly expiresAt: number
}

export type AddOutcome =
  | ({ readonly kind: 'added'; readonly operator: Operator } & MadeLink)
  | { readonly kind: 'known' }

export type ChangeOutcome =
  | { readonly kind: 'changed' }
  | { readonly kind: 'unknown' }
  /** One does not take oneself a right: so one admin is always left. */
  | { readonly kind: 'oneself' }

export type LinkOutcome =
  | ({ readonly kind: 'made'; readonly email: string } & MadeLink)
  | { readonly kind: 'unknown' }
  | { readonly kind: 'disabled' }

/** The console's page and the command line do the same. */
export function makeManageOperators({ accounts, links, identities, audit, clock }: ManagePorts) {
  const makeLink = async (
    by: Actor,
    operatorId: string,
    purpose: LinkPurpose,
  ): Promise<MadeLink> => {
    const code = newSecret()
    const expiresAt = clock() + linkHolds[purpose]
    await links.make({ codeHash: hashOf(code), operatorId, purpose, expiresAt, by })
    return { code, expiresAt }
  }
  const change = async (
    actor: Actor,
    id: string,
    entry: Omit<AuditEntry, 'subject'>,
    act: () => Promise<void>,
  ): Promise<ChangeOutcome> => {
    authorise(actor, 'change operators', clock())
    if ((await accounts.find(id)) === undefined) return { kind: 'unknown' }
    if (actor.kind === 'console' && actor.id === id) return { kind: 'oneself' }
    await audited(audit, { actor, at: clock(), subject: id, ...entry }, act, () => 'done')
    return { kind: 'changed' }
  }
  return {
    list: async (actor: Actor): Promise<readonly ListedOperator[]> => {
      authorise(actor, 'see operators', clock())
      return accounts.list()
    },
    add: async (actor: Actor, email: string, role: Role): Promise<AddOutcome> => {
      const now = clock()
      authorise(actor, 'change operators', now)
      const id = randomUUIDv7()
      const address = emailAddress(email)
      const operator = { id, email: address, role, createdAt: now, disabledAt: null }
      const entry = { action: 'added an operator' as const, subject: id, reason: `as ${role}` }
      if ((await accounts.findByEmail(address)) !== undefined) return { kind: 'known' }
      return audited(
        audit,
        { actor, at: now, ...entry },
        async (): Promise<AddOutcome> => {
          if (!(await accounts.add(operator))) return { kind: 'known' }
          return { kind: 'added', operator, ...(await makeLink(actor, id, 'invitation')) }
        },
        ({ kind }) => kind,
      )
    },
    setRole: (actor: Actor, id: string, role: Role) =>
      change(actor, id, { action: 'changed a role', reason: `to ${role}` }, () =>
        accounts.setRole(id, role, clock()),
      ),
    disable: (actor: Actor, id: string) =>
      change(actor, id, { action: 'disabled an operator' }, () => accounts.disable(id, clock())),
    enable: (actor: Actor, id: string) =>
      change(actor, id, { action: 'enabled an operator' }, () => accounts.enable(id)),
    /** Whoever signs in next with their address is linked: see admit-identity.ts. */
    unlink: (actor: Actor, id: string) =>
      change(actor, id, { action: 'unlinked single sign-on' }, async () => {
        await identities.unlink(id)
      }),
    link: async (actor: Actor, id: string, purpose: LinkPurpose): Promise<LinkOutcome> => {
      const now = clock()
      authorise(actor, 'change operators', now)
      const operator = await accounts.find(id)
      if (operator === undefined) return { kind: 'unknown' }
      if (operator.disabledAt !== null) return { kind: 'disabled' }
      const action = purpose === 'invitation' ? 'made an invitation' : 'made a sign-in link'
      const entry = { actor, at: now, action, subject: id } as const
      return audited(
        audit,
        entry,
        async () => ({
          kind: 'made' as const,
          email: operator.email,
          ...(await makeLink(actor, id, purpose)),
        }),
        () => 'done',
      )
    },
  }
}

export type ManageOperators = ReturnType<typeof makeManageOperators>
