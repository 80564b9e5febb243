import type { SettledByHand } from '#domain/delivery/delivery.ts'
import { inDoubtAddress } from '../leads/in-doubt-address.ts'
import { Choices } from '../shell/choices.tsx'
import { ConsolePage, type Shell } from '../shell/console-page.tsx'
import controls from '../shell/controls.module.css'
import type { Message } from '../shell/page-message.tsx'
import { PostForm } from '../shell/post-form.tsx'
import styles from './lead-page.module.css'
import { ReasonField } from './reason-field.tsx'

interface SettlePageProps {
  shell: Shell
  id: string
  status: string
  /** What can be said of it that the store does not say already. */
  choices: readonly SettledByHand[]
  /** The lead's page. */
  back: string
  /** It is one of those that came back with a backup, and their list is gone back to. */
  isOfRestored: boolean
  problem?: Message | undefined
  /** As given, where it was refused. */
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
