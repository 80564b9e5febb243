import { isAllowed } from '#domain/operator/rights.ts'
import { isErasable } from '../lead/lead-acts.tsx'
import type { Shell } from '../shell/console-page.tsx'
import { MissingRights } from '../shell/console-page.tsx'
import controls from '../shell/controls.module.css'
import { PostForm } from '../shell/forms.tsx'
import { KeyHint } from '../shell/keys.tsx'
import styles from './quarantine-page.module.css'
import type { ShownSuspect } from './shown-suspect.ts'

interface DecisionProps {
  shell: Shell
  suspect: ShownSuspect
  after: string
}

/** The decisions that the role allows, each with its button and key. */
export function Decision({ shell, suspect, after }: DecisionProps) {
  const role = shell.operator?.role ?? 'viewer'
  const { view, place } = suspect
  const { id } = view.record.lead
  const named = (
    <>
      <input type="hidden" name="id" value={id} />
      <input type="hidden" name="after" value={after} />
    </>
  )
  return (
    <div className={styles.decision}>
      {isAllowed(role, 'release leads') && (
        <PostForm action="/quarantine/release" aria-label="Release this lead" token={shell.token}>
          {named}
          <button className={controls.primary} type="submit" data-hotkey="r">
            Release
            <KeyHint of="r" />
          </button>
        </PostForm>
      )}
      <form method="get" action="/quarantine" aria-label="Leave this lead in quarantine">
        <input type="hidden" name="after" value={place} />
        <button className={controls.button} type="submit" data-hotkey="l">
          Leave
          <KeyHint of="l" />
        </button>
      </form>
      {isAllowed(role, 'reveal a lead') && !view.isRevealed && isErasable(view.record) && (
        <PostForm action="/quarantine/reveal" aria-label="Reveal this lead" token={shell.token}>
          {named}
          <button className={controls.button} type="submit" data-hotkey="v">
            Reveal
            <KeyHint of="v" />
          </button>
        </PostForm>
      )}
      {isAllowed(role, 'erase leads') && (
        <form method="get" action={`/quarantine/${id}/erase`} aria-label="Erase this lead">
          <input type="hidden" name="after" value={after} />
          <button className={controls.danger} type="submit" data-hotkey="e">
            Erase
            <KeyHint of="e" />
          </button>
        </form>
      )}
      <MissingRights shell={shell} of={['release leads', 'reveal a lead', 'erase leads']} />
    </div>
  )
}
