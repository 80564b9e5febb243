import type { ManualSettlement } from '#domain/delivery/delivery.ts'
import { isLeadId } from '#domain/lead/lead.ts'
import type { Permission } from '#domain/operator/permissions.ts'
import type { RetryActions, RetryOutcome } from '#server/delivery/retry-deliveries.ts'
import type { SettleActions, SettleOutcome } from '#server/delivery/settle-deliveries.ts'
import type { ErasureResult, PersonEraser, PersonToErase } from '#server/leads/erase-person.ts'
import type { ReleaseActions, ReleaseOutcome } from '#server/leads/release-leads.ts'
import {
  type AuditEntry,
  type AuditedChange,
  type AuditLog,
  maxReasonLength,
  runAuditedTransaction,
  runWithAudit,
} from '#server/operators/audit.ts'
import { authorize } from '#server/operators/authorize.ts'
import type { Actor } from '#server/operators/operator.ts'
import type { TransactionRunner } from '#server/platform/database/retry-conflicts.ts'

interface LeadActionsDependencies {
  readonly retries: RetryActions
  readonly settleActions: Pick<SettleActions, 'settle'>
  readonly quarantine: Pick<ReleaseActions, 'release' | 'postpone' | 'undoRelease'>
  readonly erasure: PersonEraser
  readonly audit: AuditLog
  readonly clock: () => number
}

/** Makes the actions on one lead or one person, for the console's pages and the command line. */
export function makeLeadActions(dependencies: LeadActionsDependencies) {
  const { retries, settleActions, quarantine, erasure, audit, clock } = dependencies

  /** Runs an action and records it, unless the action is refused. An invalid id may be personal data. */
  const actOn = async <Result>(
    actor: Actor,
    {
      right,
      subject,
      ...entry
    }: AuditEntry & { readonly right: Permission; readonly subject: string },
    run: (now: number, runAll: TransactionRunner<Result>) => Promise<Result>,
    describe: (result: Result) => string | undefined,
    toChange: (result: Result) => AuditedChange | undefined = () => undefined,
  ): Promise<Result | { readonly kind: 'unknown' }> => {
    const at = clock()
    authorize(actor, right, at)
    if (!isLeadId(subject)) return { kind: 'unknown' }
    return run(at, (db, act) =>
      runAuditedTransaction(
        db,
        { actor, at, subject, ...entry },
        async (store, keep) => {
          const result = await act(store)
          const change = toChange(result)
          if (change !== undefined) await keep(change)
          return result
        },
        describe,
      ),
    )
  }

  return {
    retry: (actor: Actor, id: string): Promise<RetryOutcome> =>
      actOn(
        actor,
        { right: 'retry deliveries', action: 'retried a delivery', subject: id },
        (now, runAll) => retries.retry(id, now, runAll),
        ({ kind }) => (kind === 'due' ? kind : undefined),
        (outcome) =>
          outcome.kind === 'due'
            ? { before: { status: outcome.was }, after: { status: 'pending' } }
            : undefined,
      ),
    /** @param reason how the operator knows the outcome, in the operator's own words */
    settle: (actor: Actor, id: string, as: ManualSettlement, reason = ''): Promise<SettleOutcome> =>
      actOn(
        actor,
        {
          right: 'settle deliveries',
          action: 'settled a delivery',
          subject: id,
          reason: `as ${as}${reason && `: ${reason}`}`.slice(0, maxReasonLength),
        },
        (now, runAll) => settleActions.settle(id, as, now, runAll),
        ({ kind }) => (kind === 'settled' ? as : undefined),
        (outcome) =>
          outcome.kind === 'settled'
            ? { before: { status: outcome.was }, after: { status: as } }
            : undefined,
      ),
    /** @param waitMs how long the lead waits before it is sent, so that the release can be undone */
    release: (actor: Actor, id: string, waitMs?: number): Promise<ReleaseOutcome> =>
      actOn<ReleaseOutcome>(
        actor,
        { right: 'release leads', action: 'released a lead', subject: id },
        (now, runAll) => quarantine.release(id, now, waitMs && now + waitMs, runAll),
        ({ kind }) => (kind === 'due' || kind === 'duplicate' ? kind : undefined),
      ),
    /** Delays a released lead again. @returns false if the lead is being sent or was sent */
    postponeRelease: async (actor: Actor, id: string, waitMs: number): Promise<boolean> => {
      authorize(actor, 'release leads', clock())
      return isLeadId(id) && quarantine.postpone(id, clock() + waitMs)
    },
    /** Puts a released lead back into quarantine. @returns false if the lead is being sent or was sent */
    undoRelease: async (actor: Actor, id: string): Promise<boolean> => {
      const isUndone = await actOn<boolean>(
        actor,
        { right: 'release leads', action: 'took back a release', subject: id },
        (_, runAll) => quarantine.undoRelease(id, runAll),
        (done) => (done ? 'stays in quarantine' : undefined),
      )
      return isUndone === true
    },
    /** Erases a person, which cannot be undone. @param reason the operator's own words */
    erase: async (actor: Actor, person: PersonToErase, reason?: string): Promise<ErasureResult> => {
      const at = clock()
      authorize(actor, 'erase leads', at)
      const found = await erasure.find(person)
      const erase = () => erasure.erase(person, at, found)
      if (found.ids.length === 0) return erase()
      const entry = { action: 'erased a person', subject: formatIds(found.ids) } as const
      return runWithAudit(
        audit,
        { actor, at, ...entry, reason: reason?.slice(0, maxReasonLength) },
        erase,
        ({ leads }) => (leads === 1 ? '1 lead' : `${leads} leads`),
      )
    },
  }
}

const maxListed = 20

/** The audit log contains the ids of the person's leads, not the email address. */
const formatIds = (ids: readonly string[]): string =>
  ids.length > maxListed ? `${ids.slice(0, maxListed).join(' ')} …` : ids.join(' ')
