import type { ReactNode } from 'react'
import { contactQuestionTexts as texts } from '#content/messages.ts'
import type { StepQuestion } from '#domain/enquiry/advance-step.ts'
import type { Answers, Field } from '#domain/enquiry/answers.ts'
import { makeFieldIds } from '#ui/field.tsx'
import { focusField } from './focus-problem.ts'
import styles from './question-box.module.css'

interface QuestionBoxProps {
  heading: string
  hint: string
  /** The buttons that answer the question: the correction first. Next is not offered. */
  children: ReactNode
}

const headingId = 'question'
const hintId = 'question-hint'

/**
 * Asks a question before the next step. The box takes the focus, so that it is in view and read aloud. Enter in a field
 * presses the first button, which is invisible and decides nothing: the focus moves to the question.
 */
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
    <button
      className={styles.enter}
      type="submit"
      name="move"
      value="ask"
      tabIndex={-1}
      aria-hidden="true"
    />
    {children}
  </div>
)

interface AnswerButtonProps {
  name?: string
  value?: string
  /** True for the correction. */
  isFilled?: boolean
  children: ReactNode
}

/** A button that answers a question and goes to the next step. By default, the button keeps the typed answer. */
export const AnswerButton = ({
  name = 'move',
  value = 'next',
  isFilled = false,
  children,
}: AnswerButtonProps) => (
  <button
    className={styles.answer}
    type="submit"
    name={name}
    value={value}
    data-filled={isFilled || undefined}
  >
    {children}
  </button>
)

/** Leads to a field that the visitor may have to correct. @param props.isFilled as in {@link AnswerButton} */
export const CorrectLink = ({
  field,
  isFilled = false,
  children,
}: {
  field: Field
  isFilled?: boolean
  children: ReactNode
}) => (
  <a
    className={styles.answer}
    href={`#${makeFieldIds(field).control}`}
    onClick={focusField}
    data-filled={isFilled || undefined}
  >
    {children}
  </a>
)

/** Asks about a likely typing error in phone number or email address. */
export function ContactQuestion({
  question,
  answers,
}: {
  question: StepQuestion
  answers: Answers
}) {
  const { meantEmail, isPhoneOdd } = question
  const phoneQuestion = texts.phone(answers.phone)
  const phoneHint = isPhoneOdd ? ` ${phoneQuestion} ${texts.phoneHint}` : ''
  return (
    <QuestionBox
      heading={meantEmail ? texts.email(meantEmail) : phoneQuestion}
      hint={meantEmail ? texts.typed(answers.email) + phoneHint : texts.phoneHint}
    >
      <div className={styles.answers}>
        {meantEmail ? (
          <AnswerButton name="meantEmail" value={meantEmail} isFilled>
            {texts.take(meantEmail)}
          </AnswerButton>
        ) : (
          <CorrectLink field="phone" isFilled>
            {texts.correct}
          </CorrectLink>
        )}
        <AnswerButton>{texts.keep}</AnswerButton>
      </div>
    </QuestionBox>
  )
}
