import type { ManualSettlement } from '#domain/delivery/delivery.ts'
import { isLeadId } from '#domain/lead/lead.ts'
import type { Permission } from '#domain/operator/permissions.ts'
import type { RetryActions, RetryOutcome } from '#server/delivery/retry-deliveries.ts'
import type { SettleActions, SettleOutcome } from '#server/delivery/settle-deliveries.ts'
import type { ErasureResult, PersonEraser, PersonToErase } from '#server/leads/erase-person.ts'
import {
  describeReleaseOutcome,
  type ReleaseActions,
  type ReleaseOutcome,
} from '#server/leads/release-leads.ts'
import {
  type AuditEntry,
  type AuditLog,
  type KeepChange,
  maxReasonLength,
  runWithAudit,
} from '#server/operators/audit.ts'
import { authorize } from '#server/operators/authorize.ts'
import type { Actor } from '#server/operators/operator.ts'

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

  /** Runs an action and records it in the audit log. An invalid id is not recorded, because it may be personal data. */
  const actOn = async <Result>(
    actor: Actor,
    {
      right,
      subject,
      ...entry
    }: AuditEntry & { readonly right: Permission; readonly subject: string },
    run: (now: number, keep: KeepChange) => Promise<Result>,
    describe: (result: Result) => string,
  ): Promise<Result | { readonly kind: 'unknown' }> => {
    const at = clock()
    authorize(actor, right, at)
    if (!isLeadId(subject)) return { kind: 'unknown' }
    return runWithAudit(audit, { actor, at, subject, ...entry }, (keep) => run(at, keep), describe)
  }

  return {
    retry: (actor: Actor, id: string): Promise<RetryOutcome> =>
      actOn(
        actor,
        { right: 'retry deliveries', action: 'retried a delivery', subject: id },
        async (now, keep) => {
          const outcome = await retries.retry(id, now)
          if (outcome.kind === 'due') {
            await keep({ before: { status: outcome.was }, after: { status: 'pending' } })
          }
          return outcome
        },
        ({ kind }) => (kind === 'due' ? kind : `not done: ${kind}`),
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
        async (now, keep) => {
          const outcome = await settleActions.settle(id, as, now)
          if (outcome.kind === 'settled') {
            await keep({ before: { status: outcome.was }, after: { status: as } })
          }
          return outcome
        },
        ({ kind }) => (kind === 'settled' ? as : `not done: ${kind}`),
      ),
    /** @param waitMs how long the lead waits before it is sent, so that the release can be undone */
    release: (actor: Actor, id: string, waitMs?: number): Promise<ReleaseOutcome> =>
      actOn(
        actor,
        { right: 'release leads', action: 'released a lead', subject: id },
        (now) => quarantine.release(id, now, waitMs && now + waitMs),
        describeReleaseOutcome,
      ),
    /** Delays a released lead again. @returns false if the lead is being sent or was sent */
    postponeRelease: async (actor: Actor, id: string, waitMs: number): Promise<boolean> => {
      authorize(actor, 'release leads', clock())
      return isLeadId(id) && quarantine.postpone(id, clock() + waitMs)
    },
    /** Puts a released lead back into quarantine. @returns false if the lead is being sent or was sent */
    undoRelease: async (actor: Actor, id: string): Promise<boolean> => {
      const isUndone = await actOn(
        actor,
        { right: 'release leads', action: 'took back a release', subject: id },
        () => quarantine.undoRelease(id),
        (done) => (done ? 'stays in quarantine' : 'not done: the lead is being sent or was sent'),
      )
      return isUndone === true
    },
    /** Erases a person, which cannot be undone. @param reason the operator's own words */
    erase: async (actor: Actor, person: PersonToErase, reason?: string): Promise<ErasureResult> => {
      const at = clock()
      authorize(actor, 'erase leads', at)
      const { ids } = await erasure.find(person)
      const entry = { action: 'erased a person', subject: formatIds(ids) } as const
      return runWithAudit(
        audit,
        { actor, at, ...entry, reason: reason?.slice(0, maxReasonLength) },
        () => erasure.erase(person, at),
        ({ leads }) => (leads === 1 ? '1 lead' : `${leads} leads`),
      )
    },
  }
}

const maxListed = 20

/** The audit log contains the ids of the person's leads, not the email address. */
const formatIds = (ids: readonly string[]): string =>
  ids.length > maxListed ? `${ids.slice(0, maxListed).join(' ')} …` : ids.join(' ')
