import type { SettledByHand } from '#domain/delivery/delivery.ts'
import { TextField } from '#ui/field.tsx'
import { inDoubtAddress } from '../leads/filter-form.tsx'
import { ConsolePage, LeadsCommand, type Shell } from '../shell/console-page.tsx'
import controls from '../shell/controls.module.css'
import { Choices, PostForm } from '../shell/forms.tsx'
import { type Message, Notice } from '../shell/message.tsx'
import styles from './lead-page.module.css'

export interface ErasePageProps {
  shell: Shell
  id: string
  status: string
  /** Where it is posted to, and where who keeps it goes. */
  action: string
  back: string
  /** The next page in the quarantine. */
  after?: string
  problem?: Message | undefined
  /** The typed text, if it was refused. */
  reason?: string | undefined
}

/** Asks before what cannot be undone. */
export const ErasePage = (props: ErasePageProps) => {
  const { shell, id, status, action, back, after, problem, reason } = props
  return (
    <ConsolePage shell={shell} name="Erase this lead’s person" message={problem}>
      <div className={controls.narrow}>
        <Notice kind="problem" heading="This cannot be undone">
          <p>
            Name, address, phone, email and IP of <code>{id}</code> go for good
            {status === 'delivered'
              ? '. The distributor has the lead: only it can erase its copy, so ask it.'
              : ', and it is not sent any more.'}
          </p>
        </Notice>
        <p>
          What stays: the reference, times, area, program, how each delivery went, and of the
          consent its text, its time and its page. Other leads of the same person stay as they are;
          by their email address all go at once: <LeadsCommand verb="erase --email" />. Backups and
          earlier exports are yours to see to.
        </p>
        <PostForm action={action} token={shell.token}>
          {after !== undefined && <input type="hidden" name="after" value={after} />}
          <ReasonField label="Reason" value={reason} error={problem?.fields?.reason} />
          <div className={styles.acts}>
            <button className={controls.danger} type="submit">
              Erase for good
            </button>
            <a href={back}>Keep it</a>
          </div>
        </PostForm>
      </div>
    </ConsolePage>
  )
}

interface SettlePageProps {
  shell: Shell
  id: string
  status: string
  /** The operator's decisions that the store does not imply already. */
  choices: readonly SettledByHand[]
  /** The lead's page. */
  back: string
  /** It is one of those that came back with a backup, and their list is gone back to. */
  isOfRestored: boolean
  problem?: Message | undefined
  /** The given value, if it was refused. */
  typed?: { readonly as: string; readonly reason: string } | undefined
}

const words: Readonly<Record<SettledByHand, { readonly name: string; readonly does: string }>> = {
  delivered: {
    name: 'It has this lead',
    does: 'The lead counts as delivered, and cannot be sent again.',
  },
  rejected: {
    name: 'It does not take this lead',
    does: 'The lead counts as rejected, and is not sent unless somebody retries it.',
  },
}

/** Asks what the distributor says of a lead, where its answer never came or a backup does not know it. */
export const SettlePage = (props: SettlePageProps) => {
  const { shell, id, status, choices, back, isOfRestored, problem, typed } = props
  return (
    <ConsolePage shell={shell} name="Settle this lead by hand" message={problem}>
      <div className={controls.narrow}>
        <p>
          <code>{id}</code> is {status}. Settle it where you know from the distributor itself what
          became of it: after a backup was restored, or when no answer came. Nothing is sent.
        </p>
        <PostForm action={`${back}/settle`} token={shell.token}>
          {isOfRestored && <input type="hidden" name="restored" value="in-doubt" />}
          <Choices
            legend="What the distributor says"
            name="as"
            choices={choices.map((said) => ({ value: said, ...words[said] }))}
            chosen={typed?.as ?? (choices.length === 1 ? choices[0] : undefined)}
            error={problem?.fields?.as}
          />
          <ReasonField label="How you know" value={typed?.reason} error={problem?.fields?.reason} />
          <div className={styles.acts}>
            <button className={controls.primary} type="submit">
              Settle
            </button>
            <a href={isOfRestored ? inDoubtAddress : back}>Leave it as it is</a>
          </div>
        </PostForm>
      </div>
    </ConsolePage>
  )
}

interface ReasonFieldProps {
  label: string
  /** The given values, if the form was refused. */
  value?: string | undefined
  error: string | undefined
}

/** Why, in the operator's own words. Nobody has to say it. */
export const ReasonField = ({ label, value = '', error }: ReasonFieldProps) => (
  <TextField
    name="reason"
    label={`${label} (optional)`}
    required={false}
    type="text"
    autoComplete="off"
    hint="Saved permanently in the audit log; don’t include names."
    error={error}
    value={value}
  />
)
