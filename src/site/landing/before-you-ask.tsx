import type { Names } from '#content/disclosure.ts'
import { landingHeadings, questions } from '#content/landing-words.ts'
import { InlineText } from '../shell/inline-text.tsx'
import styles from './before-you-ask.module.css'
import { Section } from './section.tsx'

/** What keeps people from leaving a phone number, answered. Opened by the browser itself. */
export function BeforeYouAsk({ names }: { names: Names }) {
  return (
    <Section id="questions" heading={landingHeadings.questions}>
      <div className={styles.questions}>
        {questions(names).map(({ question, answer }) => (
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
