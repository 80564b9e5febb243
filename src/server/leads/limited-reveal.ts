import type { AuditAction } from '#domain/operator/audit-action.ts'
import { type Action, maxClockSkew, revealLimit } from '#domain/operator/rights.ts'
import { type AuditLog, runWithAudit } from '#server/operators/audit.ts'
import { StepUpRequiredError } from '#server/operators/authorize.ts'
import type { ConsoleActor } from '#server/operators/operator.ts'

export interface RevealDependencies {
  readonly audit: AuditLog
  /** Called when an operator must authenticate again because of too many reveals. */
  readonly onTooMany: () => void
}

const { most, within } = revealLimit
/** The actions that count toward the reveal limit, because each shows the operator personal data. */
const rightFor = {
  'revealed a lead': 'reveal a lead',
  'searched for a person': 'search for a person',
} as const satisfies Partial<Record<AuditAction, Action>>
type Counted = keyof typeof rightFor
const counted = Object.keys(rightFor) as readonly Counted[]

/**
 * Records a reveal or a search for a person in the audit log, and only then reads the personal data. After too many
 * reveals since their last authentication, the operator must authenticate again. Counting in the audit log covers all
 * processes.
 * @throws StepUpRequiredError
 */
export const makeLimitedReveal =
  ({ audit, onTooMany }: RevealDependencies) =>
  async <Found>(
    actor: ConsoleActor,
    {
      id,
      at,
      action = 'revealed a lead',
    }: {
      /** The lead's id; absent for a search. */
      readonly id?: string
      readonly at: number
      readonly action?: Counted
    },
    read: () => Promise<Found | undefined>,
  ): Promise<Found | undefined> => {
    const authenticatedAt =
      actor.lastAuthenticatedAt > at + maxClockSkew ? 0 : actor.lastAuthenticatedAt
    const ownEntries = {
      operatorId: actor.id,
      since: Math.max(at - within, authenticatedAt),
      until: at + maxClockSkew,
      take: most + 1,
    } as const
    const shown = await runWithAudit(
      audit,
      { actor, at, action, subject: id },
      // The count comes after the audit entry: concurrent reveals could all pass an earlier check.
      async () => {
        const entries = await Promise.all(
          counted.map((one) => audit.list({ ...ownEntries, action: one })),
        )
        return entries.flat().length > most ? ('too many' as const) : { found: await read() }
      },
      (outcome) => {
        if (outcome === 'too many') return `not done: more than ${most} within an hour`
        return outcome.found === undefined ? 'not done: unknown' : 'shown'
      },
    )
    if (shown !== 'too many') return shown.found
    onTooMany()
    throw new StepUpRequiredError(rightFor[action])
  }
