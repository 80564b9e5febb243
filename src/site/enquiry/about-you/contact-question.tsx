import { contactQuestion as words } from '#content/contact-question.ts'
import type { Answers } from '#domain/enquiry/enquiry.ts'
import type { StepQuestion } from '#domain/enquiry/take-step.ts'
import styles from '../form/question-box.module.css'
import { QuestionBox } from '../form/question-box.tsx'

interface ContactQuestionProps {
  question: StepQuestion
  answers: Answers
}

/** Asks about a likely slip in phone or email. Both buttons go on; the first, which Enter presses, with what was typed. */
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
