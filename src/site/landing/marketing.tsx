import type { Reason } from '#content/area-pages.ts'
import { landingHeadings } from '#content/landing-words.ts'
import styles from './marketing.module.css'
import { Section } from './section.tsx'

export function Marketing({ reasons }: { reasons: readonly Reason[] }) {
  return (
    <Section id="reasons" heading={landingHeadings.reasons}>
      <ul className={styles.reasons}>
        {reasons.map(({ topic, heading, text }) => (
          <li key={topic}>
            <p className={styles.topic}>{topic}</p>
            <h3 className={styles.heading}>{heading}</h3>
            <p className={styles.text}>{text}</p>
          </li>
        ))}
      </ul>
    </Section>
  )
}
