import type { Transaction } from 'kysely'
import type { ManualSettlement } from '#domain/delivery/delivery.ts'
import { isLeadId } from '#domain/lead/lead.ts'
import type { Permission } from '#domain/operator/permissions.ts'
import {
  type RetryOutcome,
  retryLeads,
  type SettleOutcome,
  settleDelivery,
} from '#server/delivery/change-deliveries.ts'
import { findListedAt } from '#server/leads/do-not-contact.ts'
import type { ErasureResult, PersonEraser, PersonToErase } from '#server/leads/erase-person.ts'
import { type ReleaseOutcome, releaseLead, undoRelease } from '#server/leads/release-leads.ts'
import {
  type AuditEntry,
  type AuditLog,
  maxReasonLength,
  runAuditedTransaction,
  runWithAudit,
} from '#server/operators/audit.ts'
import { authorize } from '#server/operators/authorize.ts'
import type { Actor } from '#server/operators/operator.ts'
import type { LeadDatabase } from '#server/platform/database/lead-database.ts'
import type { StoreTables } from '#server/platform/database/tables/store-tables.ts'

interface LeadActionsDependencies {
  readonly database: Pick<LeadDatabase, 'db'>
  readonly erasure: PersonEraser
  readonly audit: AuditLog
  readonly clock: () => number
}

interface LeadAct extends AuditEntry {
  readonly actor: Actor
  readonly permission: Permission
  readonly subject: string
}

/** Makes the actions on one lead or one person, for the console's pages and the command line. */
export function makeLeadActions({ database, erasure, audit, clock }: LeadActionsDependencies) {
  const { db } = database

  /** Acts on a lead and records the action, unless it is refused. An invalid id may be personal data. */
  const actOn = async <Outcome extends { readonly kind: string }>(
    act: LeadAct,
    run: (tx: Transaction<StoreTables>, now: number) => Promise<Outcome | undefined>,
    describe: (outcome: Outcome | { readonly kind: 'unknown' }) => string | undefined,
    newStatus?: string,
  ): Promise<Outcome | { readonly kind: 'unknown' }> => {
    authorize(act.actor, act.permission, clock())
    if (!isLeadId(act.subject)) return { kind: 'unknown' }
    return runAuditedTransaction(
      { db, clock },
      act,
      async (tx, at, keep) => {
        const outcome = (await run(tx, at)) ?? ({ kind: 'unknown' } as const)
        if (newStatus !== undefined && 'was' in outcome) {
          await keep({ before: { status: String(outcome.was) }, after: { status: newStatus } })
        }
        return outcome
      },
      describe,
    )
  }

  return {
    retry: (actor: Actor, id: string): Promise<RetryOutcome> =>
      actOn<RetryOutcome>(
        { actor, permission: 'retry deliveries', action: 'retried a delivery', subject: id },
        async (tx, now) => (await retryLeads(tx, [id], now)).get(id),
        ({ kind }) => (kind === 'due' ? kind : undefined),
        'pending',
      ),
    /** @param reason how the operator knows the outcome, in the operator's own words */
    settle: (actor: Actor, id: string, as: ManualSettlement, reason = ''): Promise<SettleOutcome> =>
      actOn<SettleOutcome>(
        {
          actor,
          permission: 'settle deliveries',
          action: 'settled a delivery',
          subject: id,
          reason: `as ${as}${reason && `: ${reason}`}`.slice(0, maxReasonLength),
        },
        (tx, now) => settleDelivery(tx, id, as, now),
        ({ kind }) => (kind === 'settled' ? as : undefined),
        as,
      ),
    /**
     * @param waitMs how long the lead waits before it is sent, so that the release can be undone
     * @param isDespiteList whether the operator knows that the person asked not to be contacted
     * @param reason the operator's own words
     */
    release: (
      actor: Actor,
      id: string,
      {
        waitMs,
        isDespiteList = false,
        reason,
      }: { waitMs?: number | undefined; isDespiteList?: boolean; reason?: string } = {},
    ): Promise<ReleaseOutcome> =>
      actOn<ReleaseOutcome>(
        { actor, permission: 'release leads', action: 'released a lead', subject: id, reason },
        async (tx, now) => {
          const despite = await findListedAt(tx, id)
          if (despite !== undefined && !isDespiteList) return { kind: 'asked not to be contacted' }
          return releaseLead(tx, id, now, { dueAt: waitMs && now + waitMs, despite })
        },
        ({ kind }) => (kind === 'due' || kind === 'duplicate' ? kind : undefined),
      ),
    /** Puts a released lead back into quarantine. @returns false if the lead is being sent or was sent */
    undoRelease: async (actor: Actor, id: string): Promise<boolean> => {
      const outcome = await actOn(
        { actor, permission: 'release leads', action: 'took back a release', subject: id },
        async (tx) => ((await undoRelease(tx, id)) ? ({ kind: 'undone' } as const) : undefined),
        ({ kind }) => (kind === 'undone' ? 'stays in quarantine' : undefined),
      )
      return outcome.kind === 'undone'
    },
    /** Erases a person, which cannot be undone. @param reason the operator's own words */
    erase: async (actor: Actor, person: PersonToErase, reason?: string): Promise<ErasureResult> => {
      const at = clock()
      authorize(actor, 'erase leads', at)
      const found = await erasure.find(person)
      const erase = () => erasure.erase(person, at, found)
      if (found.ids.length === 0) return erase()
      const entry = { actor, action: 'erased a person', subject: formatIds(found.ids) } as const
      return runWithAudit(
        { audit, clock: () => at },
        { ...entry, reason: reason?.slice(0, maxReasonLength) },
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
