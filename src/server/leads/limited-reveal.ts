import type { AuditAction } from '#domain/operator/audit-action.ts'
import { type Action, revealLimit, skew } from '#domain/operator/rights.ts'
import { type AuditLog, audited } from '#server/operators/audit.ts'
import { StepUpRequiredError } from '#server/operators/authorise.ts'
import type { ConsoleActor } from '#server/operators/operator.ts'

interface RevealPorts {
  readonly audit: AuditLog
  /** More were to be revealed than a person looks at, and it was not done. */
  readonly onTooMany: () => void
}

const { most, within } = revealLimit
/** Actions that count toward the limit: each tells the operator about a person. */
const rightFor = {
  'revealed a lead': 'reveal a lead',
  'searched for a person': 'search for a person',
} as const satisfies Partial<Record<AuditAction, Action>>
type Counted = keyof typeof rightFor
const counted = Object.keys(rightFor) as readonly Counted[]

/**
 * Reveals one lead, or searches for a person, and is in the audit before anything is read of the person. An operator who has
 * done so often since they last gave a passkey or password is asked again: the audit counts for all processes.
 * @throws StepUpRequiredError
 */
export const makeLimitedReveal =
  ({ audit, onTooMany }: RevealPorts) =>
  async <Found>(
    actor: ConsoleActor,
    {
      id,
      at,
      action = 'revealed a lead',
    }: {
      /** The lead's; none for a search. */
      readonly id?: string
      readonly at: number
      readonly action?: Counted
    },
    read: () => Promise<Found | undefined>,
  ): Promise<Found | undefined> => {
    const isTooMany = async (): Promise<boolean> => {
      const shownAt = actor.lastAuthenticatedAt > at + skew ? 0 : actor.lastAuthenticatedAt
      const since = Math.max(at - within, shownAt)
      const own = { operatorId: actor.id, since, until: at + skew, take: most + 1 } as const
      const acts = await Promise.all(counted.map((one) => audit.list({ ...own, action: one })))
      return acts.flat().length > most
    }
    const refuse = (): never => {
      onTooMany()
      throw new StepUpRequiredError(rightFor[action])
    }
    if (await isTooMany()) refuse()
    const shown = await audited(
      audit,
      { actor, at, action, subject: id },
      // Counted once more with this one in it, or as many as come at once would pass.
      async () => ((await isTooMany()) ? ('too many' as const) : { found: await read() }),
      (outcome) => {
        if (outcome === 'too many') return `not done: more than ${most} within an hour`
        return outcome.found === undefined ? 'not done: unknown' : 'shown'
      },
    )
    return shown === 'too many' ? refuse() : shown.found
  }
