import { isAllowed } from '#domain/operator/rights.ts'
import { LeadLink } from '../lead/lead-name.tsx'
import type { Shell } from '../shell/console-page.tsx'
import controls from '../shell/controls.module.css'
import { PostForm } from '../shell/forms.tsx'
import { KeyHint } from '../shell/keys.tsx'
import styles from './quarantine-page.module.css'

export interface ShownHeld {
  readonly id: string
  /** Until it is released, in milliseconds. */
  readonly leftMs: number
  readonly isOwn: boolean
}

interface HeldReleasesProps {
  shell: Shell
  /** The latest first: its button has the key. */
  held: readonly ShownHeld[]
  after: string
}

/** Releases that any operator can still undo. They are stored, so this page may be closed. */
export function HeldReleases({ shell, held, after }: HeldReleasesProps) {
  if (held.length === 0) return null
  const mayUndo = isAllowed(shell.operator?.role ?? 'viewer', 'release leads')
  return (
    <>
      <p className="visually-hidden" role="status" data-left-over="" />
      <ul className={styles.held} aria-label="Released in a moment">
        {held.map(({ id, leftMs, isOwn }, index) => (
          <li key={id} data-left={leftMs}>
            {mayUndo && (
              <>
                <PostForm action="/quarantine/undo" aria-label={`Undo: ${id}`} token={shell.token}>
                  <input type="hidden" name="id" value={id} />
                  <input type="hidden" name="after" value={after} />
                  <button
                    className={controls.button}
                    type="submit"
                    data-hotkey={index === 0 ? 'u' : undefined}
                  >
                    Undo
                    {index === 0 && <KeyHint of="u" />}
                  </button>
                </PostForm>
                <PostForm
                  action="/quarantine/postpone"
                  aria-label={`Wait longer: ${id}`}
                  token={shell.token}
                >
                  <input type="hidden" name="id" value={id} />
                  <input type="hidden" name="after" value={after} />
                  <button className={controls.button} type="submit">
                    Wait longer
                  </button>
                </PostForm>
              </>
            )}
            <span data-left-sentence="">
              <LeadLink id={id} /> is released in{' '}
              <span className={styles.seconds} data-left-said="">
                {Math.max(0, Math.ceil(leftMs / 1000))} s
              </span>
              {!isOwn && ', by another operator'}. It isn’t sent before then.
            </span>
          </li>
        ))}
      </ul>
    </>
  )
}
