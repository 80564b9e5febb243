import type { AuditedAct, AuditLog, AuditQuery } from './audit.ts'
import { authorise } from './authorise.ts'
import type { Actor } from './operator.ts'

export const makeReadAudit =
  (audit: Pick<AuditLog, 'list'>, clock: () => number) =>
  async (actor: Actor, query: AuditQuery): Promise<readonly AuditedAct[]> => {
    authorise(actor, 'see the audit', clock())
    return audit.list(query)
  }
