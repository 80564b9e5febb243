import { emailSuggestion } from '#domain/enquiry/email-suggestion.ts'
import styles from './email-suggestion.module.css'

interface EmailSuggestionProps {
  email: string
  /** The email field's id. */
  fieldId: string
}

/** Asks about a likely slip of the keys. It never stands in the way: Next goes on with what was typed. */
export function EmailSuggestion({ email, fieldId }: EmailSuggestionProps) {
  const meant = emailSuggestion(email)

  function accept() {
    const field = document.getElementById(fieldId)
    if (!(field instanceof HTMLInputElement) || meant === undefined) return
    field.value = meant
    field.dispatchEvent(new Event('input', { bubbles: true }))
    field.focus()
  }

  return (
    <p className={styles.suggestion} role="status">
      {meant && (
        <>
          Did you mean {meant}?{' '}
          <button className={styles.accept} type="button" onClick={accept}>
            Yes, use it
          </button>
        </>
      )}
    </p>
  )
}
