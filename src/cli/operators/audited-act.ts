import { type AuditEntry, audited } from '#server/operators/audit/audit.ts'
import type { Store } from '#server/start/open-store.ts'
import { commandLineActor } from './command-line-actor.ts'

/** Writes down what a verb is about to do, and what came of it. */
export const auditedAct = <Result>(
  { audit }: Pick<Store, 'audit'>,
  entry: AuditEntry,
  act: () => Promise<Result>,
  inWords: (result: Result) => string,
): Promise<Result> =>
  audited(audit, { actor: commandLineActor(), at: Date.now(), ...entry }, act, inWords)
