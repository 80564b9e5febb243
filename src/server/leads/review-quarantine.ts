import type { Kysely } from 'kysely'
import type { OtherLeads } from '#domain/abuse/signals.ts'
import { isLeadId } from '#domain/lead/lead.ts'
import type { LeadView } from '#domain/lead/lead-details.ts'
import { noFilter } from '#domain/lead/lead-filter.ts'
import { type AuditLog, audited } from '#server/operators/audit.ts'
import { authorise } from '#server/operators/authorise.ts'
import type { ConsoleActor } from '#server/operators/operator.ts'
import type { LeadDatabase } from '#server/platform/database/lead-database.ts'
import { inTransaction, retryConflicts } from '#server/platform/database/retry-conflicts.ts'
import type { StoreTables } from '#server/platform/database/tables/store-tables.ts'
import type { LeadCount, LeadPlace } from './find-leads.ts'
import type { LeadIndex } from './lead-index.ts'
import type { LeadArchive } from './read-leads.ts'
import {
  type HeldRelease,
  type HeldReleases,
  type HoldOutcome,
  type ReleaseOutcome,
  releaseLead,
  undoWindowMs,
} from './release-leads.ts'
import type { ViewLead } from './view-lead.ts'

const maxCounted = 10_000

const selectUndecided = (db: Kysely<StoreTables>, after: LeadPlace | undefined) =>
  db
    .selectFrom('leads')
    .select(['id', 'received_at as receivedAt'])
    .where('quarantined_at', 'is not', null)
    .where('released_at', 'is', null)
    .where('erased_at', 'is', null)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(selectFrom('held_releases').select('lead_id').whereRef('lead_id', '=', 'leads.id')),
      ),
    )
    .$if(after !== undefined, (query) =>
      query.where(({ eb, refTuple, tuple }) =>
        eb(refTuple('received_at', 'id'), '>', tuple(after?.receivedAt ?? 0, after?.id ?? '')),
      ),
    )

export const makeLeadQuarantine = ({ db }: Pick<LeadDatabase, 'db'>) => ({
  /** @param now epoch milliseconds */
  release: (leadId: string, now: number): Promise<ReleaseOutcome> =>
    inTransaction(db, (store) => releaseLead(store, leadId, now)),
  /** The oldest undecided lead after a place; undefined if there is none. */
  next: (after: LeadPlace | undefined): Promise<LeadPlace | undefined> =>
    retryConflicts(() =>
      selectUndecided(db, after).orderBy('received_at').orderBy('id').limit(1).executeTakeFirst(),
    ),
  /** Counts the undecided leads after a place, up to 10,000. */
  count: async (after: LeadPlace | undefined): Promise<LeadCount> => {
    const { n } = await retryConflicts(() =>
      db
        .selectFrom(
          selectUndecided(db, after)
            .limit(maxCounted + 1)
            .as('some'),
        )
        .select((eb) => eb.fn.countAll<number>().as('n'))
        .executeTakeFirstOrThrow(),
    )
    return { leads: Math.min(n, maxCounted), isAll: n <= maxCounted }
  },
})

export type LeadQuarantine = ReturnType<typeof makeLeadQuarantine>

export interface QuarantineReview {
  /** The next lead to decide about; undefined if none follows the requested place. */
  readonly lead: { readonly view: LeadView; readonly others: OtherLeads } | undefined
  /** The undecided leads after the place. */
  readonly left: LeadCount
  /** The releases that can still be undone, latest first. */
  readonly held: readonly HeldRelease[]
}

interface ReviewPorts {
  readonly quarantine: Pick<LeadQuarantine, 'next' | 'count'>
  readonly heldReleases: HeldReleases
  readonly archive: Pick<LeadArchive, 'find' | 'list'>
  readonly finder: Pick<LeadIndex, 'find' | 'keysOf'>
  readonly viewLead: Pick<ViewLead, 'masked' | 'revealed'>
  readonly audit: AuditLog
  readonly clock: () => number
}

/** The page offers at most this many releases to undo. */
const maxHeld = 20
const maxOthers = 20

/** Shows quarantined leads one after the other, oldest first. */
export function makeReviewQuarantine(ports: ReviewPorts) {
  const { quarantine, heldReleases, archive, finder, viewLead, audit, clock } = ports

  const review = async (
    after: LeadPlace | undefined,
    view: LeadView | undefined,
  ): Promise<QuarantineReview> => {
    const [left, held, others] = await Promise.all([
      quarantine.count(after),
      heldReleases.list(maxHeld),
      view && countOthers(view.record.lead.id),
    ])
    const lead = view && others && { view, others }
    return { lead, left, held: held.toReversed() }
  }
  /** Counts leads with the same email address or phone number, by keyed hashes: no personal data leaves the store. */
  const countOthers = async (id: string): Promise<OtherLeads | undefined> => {
    const now = clock()
    const record = await archive.find(id, now)
    if (record === undefined) return undefined
    const { lead } = record
    const isRead = !('erasedAt' in lead) && !('unreadable' in lead)
    const contacts = isRead ? [lead.email, lead.phone] : []
    const keys = (await Promise.all(contacts.map((contact) => finder.keysOf(contact)))).flat()
    if (keys.length === 0) return { delivered: 0, quarantined: 0, isAll: true }
    const search = { filter: noFilter, keys, now, take: maxOthers + 1, towards: 'older' } as const
    const found = await finder.find(search)
    const ids = found.leads.map((other) => other.id).filter((other) => other !== id)
    const others = ids.length === 0 ? [] : await archive.list({ ids, now, take: ids.length })
    const countWithStatus = (status: string) =>
      others.filter((other) => other.status === status).length
    return {
      delivered: countWithStatus('delivered'),
      quarantined: countWithStatus('quarantined'),
      isAll: found.next === undefined,
    }
  }

  return {
    look: async (actor: ConsoleActor, after: LeadPlace | undefined): Promise<QuarantineReview> => {
      authorise(actor, 'see leads', clock())
      const place = await quarantine.next(after)
      const view = place && (await viewLead.masked(actor, place.id))
      return review(after, view)
    },
    /** Shows the lead with its personal data, which the audit log records. */
    reveal: async (
      actor: ConsoleActor,
      id: string,
      after: LeadPlace | undefined,
    ): Promise<QuarantineReview | undefined> => {
      const view = await viewLead.revealed(actor, id)
      return view && review(after, view)
    },
    /** Schedules a release. Any operator can undo the release for {@link undoWindowMs}; then the lead is sent. */
    release: async (actor: ConsoleActor, leadId: string): Promise<HoldOutcome> => {
      const now = clock()
      authorise(actor, 'release leads', now)
      if (!isLeadId(leadId)) return { kind: 'unknown' }
      const auditId = await audit.record(actor, { action: 'released a lead', subject: leadId }, now)
      const dueAt = now + undoWindowMs
      const outcome = await heldReleases.hold({ leadId, dueAt, operatorId: actor.id, auditId })
      if (outcome.kind !== 'held') await audit.recordOutcome(auditId, `not done: ${outcome.kind}`)
      return outcome
    },
    /**
     * Extends the time for undoing by {@link undoWindowMs} (WCAG 2.2.1). @returns false if the release is no longer held
     */
    postpone: async (actor: ConsoleActor, leadId: string): Promise<boolean> => {
      const now = clock()
      authorise(actor, 'release leads', now)
      return isLeadId(leadId) && heldReleases.postpone(leadId, now + undoWindowMs)
    },
    /** @returns false if the release was already undone or carried out */
    undo: async (actor: ConsoleActor, leadId: string): Promise<boolean> => {
      const at = clock()
      authorise(actor, 'release leads', at)
      if (!isLeadId(leadId)) return false
      return audited(
        audit,
        { actor, at, action: 'took back a release', subject: leadId },
        () => heldReleases.undo(leadId, 'taken back'),
        (isUndone) =>
          isUndone
            ? 'stays in quarantine'
            : 'not done: the release was already carried out or undone',
      )
    },
  }
}

export type ReviewQuarantine = ReturnType<typeof makeReviewQuarantine>
