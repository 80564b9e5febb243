import type { Question } from '#content/site-words.ts'
import { InlineText } from '../../shell/inline-text.tsx'
import { Section } from '../section/section.tsx'
import styles from './before-you-ask.module.css'

interface BeforeYouAskProps {
  heading: string
  questions: readonly Question[]
}

/** What keeps people from leaving a phone number, answered. Opened by the browser itself. */
export function BeforeYouAsk({ heading, questions }: BeforeYouAskProps) {
  return (
    <Section id="questions" heading={heading}>
      <div className={styles.questions}>
        {questions.map(({ question, answer }) => (
          <details key={question}>
            <summary>{question}</summary>
            <p>
              <InlineText of={answer} />
            </p>
          </details>
        ))}
      </div>
    </Section>
  )
}
