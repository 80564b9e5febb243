import type { ReactNode } from 'react'
import { contactQuestionTexts as words } from '#content/messages.ts'
import type { StepQuestion } from '#domain/enquiry/advance-step.ts'
import type { Answers } from '#domain/enquiry/enquiry.ts'
import emailSuggestionStyles from './email-suggestion.module.css'
import { fillField } from './format-input.ts'
import styles from './question-box.module.css'

interface QuestionBoxProps {
  heading: string
  hint: string
  /** The buttons that answer the question, besides Next. */
  children?: ReactNode
}

const headingId = 'question'
const hintId = 'question-hint'

/** A question that the visitor answers before leaving the step. The box takes the focus, so that it is in view and read aloud. */
export function QuestionBox({ heading, hint, children }: QuestionBoxProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset's legend is not read where the focus is moved to it
    <div
      className={styles.question}
      role="group"
      aria-labelledby={headingId}
      aria-describedby={hintId}
      tabIndex={-1}
      // biome-ignore lint/a11y/noAutofocus: without JavaScript the new page starts at its question
      autoFocus
      data-summary=""
    >
      <h3 className={styles.heading} id={headingId}>
        {heading}
      </h3>
      <p className={styles.hint} id={hintId}>
        {hint}
      </p>
      {children}
    </div>
  )
}

interface ContactQuestionProps {
  question: StepQuestion
  answers: Answers
}

/** Asks about a likely typing error in phone or email. Enter and one button keep the typed answer. */
export function ContactQuestion({ question, answers }: ContactQuestionProps) {
  const { meantEmail, isPhoneOdd } = question
  const phone = isPhoneOdd ? `${words.phone(answers.phone)} ${words.phoneHint}` : ''
  return (
    <QuestionBox
      heading={meantEmail ? words.email(meantEmail) : words.phone(answers.phone)}
      hint={meantEmail ? phone : words.phoneHint}
    >
      <div className={styles.answers}>
        <button className={styles.answer} type="submit" name="move" value="next">
          {words.keep}
        </button>
        {meantEmail && (
          <button className={styles.answer} type="submit" name="meantEmail" value={meantEmail}>
            {words.take(meantEmail)}
          </button>
        )}
      </div>
    </QuestionBox>
  )
}

interface EmailSuggestionProps {
  meant: string | undefined
  fieldId: string
}

/** Suggests a correction of a likely typing error. Next keeps the typed answer. */
export function EmailSuggestion({ meant, fieldId }: EmailSuggestionProps) {
  function accept() {
    if (meant !== undefined) fillField(fieldId, meant)?.focus()
  }

  return (
    <p className={emailSuggestionStyles.suggestion} role="status">
      {meant && (
        <>
          {/* The text has its own element, because React could not remove a text that a translation has replaced. */}
          <span>Did you mean {meant}?</span>
          <button className={emailSuggestionStyles.accept} type="button" onClick={accept}>
            Yes, use it
          </button>
        </>
      )}
    </p>
  )
}
