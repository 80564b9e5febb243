import { userInfo } from 'node:os'
import { makeActOnLead } from '#server/jobs/act-on-lead.ts'
import { type AuditEntry, audited } from '#server/operators/audit.ts'
import type { CommandLineActor } from '#server/operators/operator.ts'
import type { Store } from '#server/start/open-store.ts'

/** The operating system's user, whom the audit log names. */
export function commandLineActor(): CommandLineActor {
  try {
    return { kind: 'command line', user: userInfo().username }
  } catch {
    // A container may run under a user id that has no name.
    return { kind: 'command line', user: `uid ${process.getuid?.() ?? 'unknown'}` }
  }
}

/** Records what a command is about to do, and its outcome. */
export const auditedAct = <Result>(
  { audit }: Pick<Store, 'audit'>,
  entry: AuditEntry,
  act: () => Promise<Result>,
  inWords: (result: Result) => string,
): Promise<Result> =>
  audited(audit, { actor: commandLineActor(), at: Date.now(), ...entry }, act, inWords)

/** The same actions on a lead as on the console's pages. */
export const actOnLead = (store: Store) => makeActOnLead({ ...store, clock: Date.now })
