import type { SettledByHand } from '#domain/delivery/delivery.ts'
import { isLeadId } from '#domain/lead/lead.ts'
import type { Action } from '#domain/operator/rights.ts'
import type { DeliveryRetries, RetryOutcome } from '#server/delivery/retry-deliveries.ts'
import type { DeliverySettling, SettleOutcome } from '#server/delivery/settle-deliveries.ts'
import type { ErasedPerson, PersonErasure, PersonToErase } from '#server/leads/erase-person.ts'
import { describeRelease, type ReleaseOutcome } from '#server/leads/release-leads.ts'
import type { LeadQuarantine } from '#server/leads/review-quarantine.ts'
import { type AuditEntry, type AuditLog, audited, longestReason } from '#server/operators/audit.ts'
import { authorise } from '#server/operators/authorise.ts'
import type { Actor } from '#server/operators/operator.ts'

interface ActOnLeadPorts {
  readonly retries: Pick<DeliveryRetries, 'retry'>
  readonly settling: Pick<DeliverySettling, 'settle'>
  readonly quarantine: Pick<LeadQuarantine, 'release'>
  readonly erasure: Pick<PersonErasure, 'find' | 'erase'>
  readonly audit: AuditLog
  readonly clock: () => number
}

/** Actions on one lead or one person: the console's pages and the command line share them. */
export function makeActOnLead({
  retries,
  settling,
  quarantine,
  erasure,
  audit,
  clock,
}: ActOnLeadPorts) {
  const act = async <Result>(
    actor: Actor,
    entry: AuditEntry,
    run: (now: number) => Promise<Result>,
    inWords: (result: Result) => string,
  ): Promise<Result> => {
    const at = clock()
    return audited(audit, { actor, at, ...entry }, () => run(at), inWords)
  }
  const may = (actor: Actor, action: Action) => authorise(actor, action, clock())

  return {
    retry: async (actor: Actor, id: string): Promise<RetryOutcome> => {
      may(actor, 'retry deliveries')
      if (!isLeadId(id)) return { kind: 'unknown' }
      return act(
        actor,
        { action: 'retried a delivery', subject: id },
        (now) => retries.retry(id, now),
        ({ kind }) => (kind === 'due' ? kind : `not done: ${kind}`),
      )
    },
    /** @param reason how the operator knows, in their own words */
    settle: async (
      actor: Actor,
      id: string,
      as: SettledByHand,
      reason = '',
    ): Promise<SettleOutcome> => {
      may(actor, 'settle deliveries')
      // A malformed id may be somebody's address, so it is not written down.
      if (!isLeadId(id)) return { kind: 'unknown' }
      return act(
        actor,
        {
          action: 'settled a delivery',
          subject: id,
          reason: `as ${as}${reason && `: ${reason}`}`.slice(0, longestReason),
        },
        (now) => settling.settle(id, as, now),
        ({ kind }) => (kind === 'settled' ? as : `not done: ${kind}`),
      )
    },
    release: async (actor: Actor, id: string): Promise<ReleaseOutcome> => {
      may(actor, 'release leads')
      if (!isLeadId(id)) return { kind: 'unknown' }
      return act(
        actor,
        { action: 'released a lead', subject: id },
        (now) => quarantine.release(id, now),
        describeRelease,
      )
    },
    /** Cannot be undone. @param reason the operator's own words */
    erase: async (actor: Actor, person: PersonToErase, reason?: string): Promise<ErasedPerson> => {
      may(actor, 'erase leads')
      const { ids } = await erasure.find(person)
      return act(
        actor,
        {
          action: 'erased a person',
          subject: listed(ids),
          reason: reason?.slice(0, longestReason),
        },
        (now) => erasure.erase(person, now),
        ({ leads }) => (leads === 1 ? '1 lead' : `${leads} leads`),
      )
    },
  }
}

export type ActOnLead = ReturnType<typeof makeActOnLead>

const mostListed = 20

/** Whom an address belongs to is not written down, but which leads were theirs. */
const listed = (ids: readonly string[]): string =>
  ids.length > mostListed ? `${ids.slice(0, mostListed).join(' ')} …` : ids.join(' ')
