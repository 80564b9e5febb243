import { authorise } from '../authorise.ts'
import type { Actor, Operator } from '../operator.ts'
import type { OperatorAccounts } from '../operator-accounts.ts'
import type { AuditedAct, AuditLog, AuditQuery } from './audit.ts'

/** Whose acts there may be, disabled ones included. */
export interface WhoActs {
  readonly operators: readonly Pick<Operator, 'id' | 'email'>[]
  /** The system's, on the command line. */
  readonly users: readonly string[]
}

interface ReadAuditPorts {
  readonly audit: Pick<AuditLog, 'list' | 'users'>
  readonly accounts: Pick<OperatorAccounts, 'list'>
  readonly clock: () => number
}

/** Who may see the audit knows by it who the operators are. */
export const makeReadAudit = ({ audit, accounts, clock }: ReadAuditPorts) => ({
  list: async (actor: Actor, query: AuditQuery): Promise<readonly AuditedAct[]> => {
    authorise(actor, 'see the audit', clock())
    return audit.list(query)
  },
  whoActs: async (actor: Actor): Promise<WhoActs> => {
    authorise(actor, 'see the audit', clock())
    const [operators, users] = await Promise.all([accounts.list(), audit.users()])
    return { operators: operators.map(({ id, email }) => ({ id, email })), users }
  },
})

export type ReadAudit = ReturnType<typeof makeReadAudit>
