import { fillIn } from '../controls/fill-in.ts'
import styles from './email-suggestion.module.css'

interface EmailSuggestionProps {
  /** The whole address. */
  meant: string | undefined
  /** The email field's id. */
  fieldId: string
}

/** Asks about a likely slip of the keys. It never stands in the way: Next goes on with what was typed. */
export function EmailSuggestion({ meant, fieldId }: EmailSuggestionProps) {
  function accept() {
    if (meant !== undefined) fillIn(fieldId, meant)?.focus()
  }

  return (
    <p className={styles.suggestion} role="status">
      {meant && (
        <>
          {/* An element of its own: a translation takes text out of React's hands, which then could not take it away. */}
          <span>Did you mean {meant}?</span>
          <button className={styles.accept} type="button" onClick={accept}>
            Yes, use it
          </button>
        </>
      )}
    </p>
  )
}
