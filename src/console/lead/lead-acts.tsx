import { type SettledByHand, settledByHand } from '#domain/delivery/delivery.ts'
import type { ExplainedAction } from '#domain/operator/missing-rights.ts'
import { isAllowed } from '#domain/operator/rights.ts'
import { MissingRights, type Shell } from '../shell/console-page.tsx'
import controls from '../shell/controls.module.css'
import { PostForm } from '../shell/forms.tsx'
import styles from './lead-page.module.css'
import type { ShownLead, ShownRecord } from './shown-lead.ts'

interface Act {
  readonly path: string
  readonly button: string
  readonly action: ExplainedAction
  readonly isPossible: (record: ShownRecord) => boolean
}

/** Whether anything of the person is still there: retention leaves the IP of the consent. */
export const isErasable = ({ lead }: ShownRecord): boolean =>
  !('erasedAt' in lead) || lead.erasedBy === 'retention'

const isRetryable = ({ status }: ShownRecord): boolean =>
  status === 'pending' || status === 'dead' || status === 'rejected'

/**
 * The operator's decisions after hearing from the distributor, beyond those that the store implies
 * already.
 */
export const settleableAs = (record: ShownRecord): readonly SettledByHand[] =>
  isRetryable(record) ? settledByHand.filter((as) => as !== record.status) : []

const acts: readonly Act[] = [
  { path: 'retry', button: 'Retry', action: 'retry deliveries', isPossible: isRetryable },
  {
    path: 'release',
    button: 'Release',
    action: 'release leads',
    isPossible: ({ status }) => status === 'quarantined',
  },
]

/** The actions that this lead's state and the operator's role allow; only these are shown. */
export function LeadActs({ shell, view }: { shell: Shell; view: ShownLead }) {
  const role = shell.operator?.role ?? 'viewer'
  const { record, isRevealed } = view
  const at = `/leads/${record.lead.id}`
  return (
    <div className={styles.acts}>
      {isErasable(record) && isAllowed(role, 'reveal a lead') && !isRevealed && (
        <ActForm shell={shell} action={`${at}/reveal`} button="Reveal" />
      )}
      {acts
        .filter(({ action, isPossible }) => isPossible(record) && isAllowed(role, action))
        .map(({ path, button }) => (
          <ActForm key={path} shell={shell} action={`${at}/${path}`} button={button} />
        ))}
      {settleableAs(record).length > 0 && isAllowed(role, 'settle deliveries') && (
        <form method="get" action={`${at}/settle`} aria-label="Settle this lead by hand">
          <button className={controls.button} type="submit">
            Settle
          </button>
        </form>
      )}
      {isErasable(record) && isAllowed(role, 'erase leads') && (
        <details className={styles.menu}>
          <summary className={controls.button}>More</summary>
          <form method="get" action={`${at}/erase`} aria-label="Erase this lead">
            <button className={controls.danger} type="submit">
              Erase
            </button>
          </form>
        </details>
      )}
      <MissingRights shell={shell} of={possibleOf(view)} />
      {isRevealed && <a href={at}>Hide the person’s data again</a>}
    </div>
  )
}

/** The actions that its state allows, for any operator. */
function possibleOf({ record, isRevealed }: ShownLead): readonly ExplainedAction[] {
  return [
    ...(isErasable(record) && !isRevealed ? (['reveal a lead'] as const) : []),
    ...acts.filter(({ isPossible }) => isPossible(record)).map(({ action }) => action),
    ...(settleableAs(record).length > 0 ? (['settle deliveries'] as const) : []),
    ...(isErasable(record) ? (['erase leads'] as const) : []),
  ]
}

const ActForm = ({ shell, action, button }: { shell: Shell; action: string; button: string }) => (
  <PostForm
    id={`act-${button.toLowerCase()}`}
    action={action}
    aria-label={`${button} this lead`}
    token={shell.token}
  >
    <button className={controls.button} type="submit">
      {button}
    </button>
  </PostForm>
)
