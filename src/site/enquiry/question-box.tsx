import type { ReactNode } from 'react'
import { contactQuestionTexts as texts } from '#content/messages.ts'
import emailSuggestionStyles from './email-suggestion.module.css'
import type { LazyFormParts } from './form-state.ts'
import { fillField } from './format-input.ts'
import styles from './question-box.module.css'

interface QuestionBoxProps {
  heading: string
  hint: string
  /** The buttons that answer the question, in addition to Next. */
  children?: ReactNode
}

const headingId = 'question'
const hintId = 'question-hint'

/** Asks a question before the next step. The box takes the focus, so that it is in view and read aloud. */
export const QuestionBox = ({ heading, hint, children }: QuestionBoxProps) => (
  // biome-ignore lint/a11y/useSemanticElements: a fieldset's legend is not read when the fieldset takes the focus
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

interface AnswerButtonProps {
  name?: string
  value?: string
  children: ReactNode
}

/** A button that answers a question and goes to the next step. By default, the button keeps the typed answer. */
export const AnswerButton = ({ name = 'move', value = 'next', children }: AnswerButtonProps) => (
  <button className={styles.answer} type="submit" name={name} value={value}>
    {children}
  </button>
)

/** Asks about a likely typing error in phone number or email address. Enter and the first button keep the text. */
export const ContactQuestion: LazyFormParts['ContactQuestion'] = ({ question, answers }) => {
  const { meantEmail, isPhoneOdd } = question
  const phoneQuestion = texts.phone(answers.phone)
  const phoneHint = isPhoneOdd ? `${phoneQuestion} ${texts.phoneHint}` : ''
  return (
    <QuestionBox
      heading={meantEmail ? texts.email(meantEmail) : phoneQuestion}
      hint={meantEmail ? phoneHint : texts.phoneHint}
    >
      <div className={styles.answers}>
        <AnswerButton>{texts.keep}</AnswerButton>
        {meantEmail && (
          <AnswerButton name="meantEmail" value={meantEmail}>
            {texts.take(meantEmail)}
          </AnswerButton>
        )}
      </div>
    </QuestionBox>
  )
}

/** Suggests a correction of a likely typing error in the email address. Next keeps the typed address. */
export const EmailSuggestion: LazyFormParts['EmailSuggestion'] = ({ meantEmail, fieldId }) => (
  <p className={emailSuggestionStyles.suggestion} role="status">
    {meantEmail && (
      <>
        {/* The text has its own element, because React could not remove text that a translation has replaced. */}
        <span>Did you mean {meantEmail}?</span>
        <button
          className={emailSuggestionStyles.accept}
          type="button"
          onClick={() => fillField(fieldId, meantEmail)?.focus()}
        >
          Yes, use it
        </button>
      </>
    )}
  </p>
)
