import type { Kysely } from 'kysely'
import { listVisibleSignals } from '#domain/abuse/signals.ts'
import type { BreakerState } from '#domain/delivery/breaker.ts'
import { hiddenResponseLabel } from '#domain/delivery/outcome.ts'
import { outcomeDefinitions } from '#domain/job/job-lead-outcome.ts'
import { isLeadId, type Lead } from '#domain/lead/lead.ts'
import { isPersonalStatus, toVisibleStatus, type VisibleStatus } from '#domain/lead/lead-status.ts'
import { maskLead } from '#domain/lead/mask-lead.ts'
import type { AuditAction } from '#domain/operator/audit-action.ts'
import {
  isAllowed,
  maxClockSkew,
  type Permission,
  revealLimit,
} from '#domain/operator/permissions.ts'
import { type AuditLog, runWithAudit } from '#server/operators/audit.ts'
import { authorize, StepUpRequiredError } from '#server/operators/authorize.ts'
import type { ConsoleActor } from '#server/operators/operator.ts'
import type { LeadDatabase } from '#server/platform/database/lead-database.ts'
import type { StoreTables } from '#server/platform/database/tables/store-tables.ts'
import { findListedAt } from './do-not-contact.ts'
import type { LeadDetails, LeadReader } from './read-leads.ts'

interface LeadViewerDependencies extends RateLimitedRevealDependencies {
  readonly leadReader: Pick<LeadReader, 'find' | 'findRepeats'>
  readonly readBreaker: () => Promise<BreakerState>
  readonly database: Pick<LeadDatabase, 'db'>
  /** Builds the request that sends a lead with the current settings. */
  readonly bodyOf: (lead: Lead) => { readonly contentType: string; readonly body: string }
  readonly clock: () => number
}

const maxRepeats = 20
const maxHistory = 50

/** Makes the functions that show one lead and its history. They resolve with undefined if no lead has the id. */
export function makeLeadViewer(dependencies: LeadViewerDependencies) {
  const { leadReader, readBreaker, audit, database, bodyOf, clock } = dependencies
  const find = async (id: string) => (isLeadId(id) ? leadReader.find(id, clock()) : undefined)

  /** @param record what the operator may see of the lead */
  const toView = async (actor: ConsoleActor, record: VisibleLeadDetails, isRevealed: boolean) => {
    const { lead } = record
    const seesAudit = isAllowed(actor.role, 'see the audit log')
    const [breaker, repeatedBy, auditEntries, jobResults] = await Promise.all([
      readBreaker(),
      isAllowed(actor.role, 'reveal a lead') ? leadReader.findRepeats(lead.id, maxRepeats) : [],
      seesAudit ? audit.list({ subject: lead.id, take: maxHistory }) : [],
      seesAudit ? findJobResults(database.db, lead.id) : [],
    ])
    return {
      record,
      isRevealed,
      requestPreview: 'erasedAt' in lead || 'unreadable' in lead ? undefined : bodyOf(lead),
      breaker,
      repeatedBy,
      /** Since when the person is on the list *Do not contact*; undefined if it is not, or for a viewer. */
      listedAt: isAllowed(actor.role, 'see do not contact')
        ? await findListedAt(database.db, lead.id)
        : undefined,
      /** What operators and jobs did with the lead, newest first; empty if the operator may not see the audit log. */
      auditEntries,
      jobResults,
      now: clock(),
    }
  }
  /** Returns the masked lead for a confirmation page. Checks the permission, so that any step-up comes before it. */
  const findForConfirmation = async (
    actor: ConsoleActor,
    action: Permission,
    id: string,
  ): Promise<VisibleLeadDetails | undefined> => {
    authorize(actor, action, clock())
    const found = await find(id)
    return found && maskRecord(found, isAllowed(actor.role, 'reveal a lead'))
  }

  return {
    findForConfirmation,
    masked: async (actor: ConsoleActor, id: string) => {
      const record = await findForConfirmation(actor, 'see leads', id)
      return record && toView(actor, record, false)
    },
    /** Shows the lead with its personal data. The audit log records each reveal before the data is read. */
    revealed: async (actor: ConsoleActor, id: string) => {
      const at = clock()
      authorize(actor, 'reveal a lead', at)
      if ((await find(id)) === undefined) return undefined
      const record = await runRateLimitedReveal(dependencies, actor, { id, at }, () => find(id))
      return record && toView(actor, record, true)
    },
  }
}

export type LeadViewer = ReturnType<typeof makeLeadViewer>

/**
 * A lead as its page shows it. Until an operator reveals the lead, its personal data are masked, and the distributor's
 * responses are hidden.
 */
export type LeadView = NonNullable<Awaited<ReturnType<LeadViewer['masked']>>>

export type VisibleLeadDetails = Omit<LeadDetails, 'status'> & { readonly status: VisibleStatus }

/** The results of jobs for one lead, newest first. Jobs whose lead lists were deleted are left out. */
async function findJobResults(db: Kysely<StoreTables>, leadId: string) {
  const rows = await db
    .selectFrom('job_members')
    .innerJoin('jobs', 'jobs.id', 'job_members.job_id')
    .leftJoin('operators', 'operators.id', 'jobs.operator_id')
    .select(['jobs.id as jobId', 'job_members.at', 'job_members.outcome', 'jobs.action'])
    .select(['jobs.reason', 'operators.email', 'jobs.system_user'])
    .where('job_members.lead_id', '=', leadId)
    .orderBy('jobs.id', 'desc')
    .limit(maxHistory)
    .execute()
  return rows.flatMap(({ email, system_user, at, outcome, ...act }) => {
    if (at === null || outcome === null) return []
    const { result } = outcomeDefinitions[outcome]
    return [{ ...act, at, result, who: email ?? system_user ?? '' }]
  })
}

/**
 * Masks a lead's record. The distributor's responses are hidden completely, because masking only the quoted data would
 * miss some spellings.
 * @param mayReveal if false, the id of a duplicate's original is hidden, too
 */
function maskRecord(record: LeadDetails, mayReveal: boolean): VisibleLeadDetails {
  const { lead, delivery, returned } = record
  const attempts = delivery?.attempts.map(({ said, ...attempt }) => ({
    ...attempt,
    said: said && hiddenResponseLabel,
  }))
  return {
    ...record,
    lead: maskLead(lead),
    signals: listVisibleSignals(record.signals, mayReveal),
    status: toVisibleStatus(record.status, mayReveal),
    duplicateOf: mayReveal ? record.duplicateOf : null,
    delivery: delivery && {
      ...delivery,
      ...(!mayReveal && isPersonalStatus(record.status) && { settledAs: null, settledAt: null }),
      attempts: attempts ?? [],
    },
    returned: returned && { ...returned, reason: returned.reason && hiddenResponseLabel },
  }
}

export interface RateLimitedRevealDependencies {
  readonly audit: AuditLog
  /** Called when an operator must authenticate again because of too many reveals. */
  readonly onTooMany: () => void
}

const { most, within } = revealLimit
/** The actions that count toward the reveal limit, because each shows the operator personal data. */
const rightFor = {
  'revealed a lead': 'reveal a lead',
  'searched for a person': 'search for a person',
} as const satisfies Partial<Record<AuditAction, Permission>>
type LimitedActionName = keyof typeof rightFor
const limitedActions = Object.keys(rightFor) as readonly LimitedActionName[]

interface LimitedAction {
  /** The lead's id; absent for a search. */
  readonly id?: string
  readonly at: number
  readonly action?: LimitedActionName
}

/**
 * Records a reveal or a search for a person in the audit log, and only then reads the personal data. After too many
 * reveals since their last authentication, the operator must authenticate again. The entries of the audit log are
 * counted, so the limit covers all processes.
 * @throws StepUpRequiredError
 */
export async function runRateLimitedReveal<Found>(
  { audit, onTooMany }: RateLimitedRevealDependencies,
  actor: ConsoleActor,
  { id, at, action = 'revealed a lead' }: LimitedAction,
  read: () => Promise<Found | undefined>,
): Promise<Found | undefined> {
  const authenticatedAt =
    actor.lastAuthenticatedAt > at + maxClockSkew ? 0 : actor.lastAuthenticatedAt
  const ownEntries = {
    operatorId: actor.id,
    since: Math.max(at - within, authenticatedAt),
    until: at + maxClockSkew,
    take: most + 1,
  } as const
  const countReveals = async () => {
    const entries = limitedActions.map((one) => audit.list({ ...ownEntries, action: one }))
    return (await Promise.all(entries)).flat().length
  }
  const reveal = () =>
    runWithAudit(
      { audit, clock: () => at },
      { actor, action, subject: id },
      // This count comes after the audit entry: concurrent reveals could all pass the earlier check.
      async () => ((await countReveals()) > most ? ('too many' as const) : { found: await read() }),
      (outcome) => {
        if (outcome === 'too many') return `not done: more than ${most} within an hour`
        return outcome.found === undefined ? 'not done: unknown' : 'shown'
      },
    )
  // This check keeps a script's further reveals from filling the audit log.
  const shown = (await countReveals()) >= most ? 'too many' : await reveal()
  if (shown !== 'too many') return shown.found
  onTooMany()
  throw new StepUpRequiredError(rightFor[action])
}
