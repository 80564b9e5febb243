import { acceptButton, keepTypedButton, questionWords } from '#content/messages.ts'
import type { StepQuestion } from '#domain/enquiry/enquiry.ts'
import styles from './question-box.module.css'

interface QuestionBoxProps {
  question: StepQuestion
  phone: string
}

const headingId = 'question'
const hintId = 'question-hint'

/**
 * A question before the visitor leaves the step. The box takes the focus, so that it is in view and read aloud. Both
 * buttons continue; Enter presses the first, which keeps the typed answer.
 */
export function QuestionBox({ question, phone }: QuestionBoxProps) {
  const { heading, hint } = questionWords(question, phone)
  const { suggestion } = question
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset's legend is not read where the focus is moved to it
    <div
      className={styles.question}
      role="group"
      aria-labelledby={headingId}
      aria-describedby={hint && hintId}
      tabIndex={-1}
      // biome-ignore lint/a11y/noAutofocus: without JavaScript the new page starts at its question
      autoFocus
      data-summary=""
    >
      <h3 className={styles.heading} id={headingId}>
        {heading}
      </h3>
      {hint && (
        <p className={styles.hint} id={hintId}>
          {hint}
        </p>
      )}
      <div className={styles.answers}>
        <button className={styles.answer} type="submit" name="move" value="next">
          {keepTypedButton}
        </button>
        {suggestion && (
          <button className={styles.answer} type="submit" name="suggestion" value={suggestion}>
            {acceptButton(suggestion)}
          </button>
        )}
      </div>
    </div>
  )
}
