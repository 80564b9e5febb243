import type { Reason } from '#content/site-words.ts'
import { Section } from '../section/section.tsx'
import styles from './marketing.module.css'

interface MarketingProps {
  heading: string
  reasons: readonly Reason[]
}

export function Marketing({ heading, reasons }: MarketingProps) {
  return (
    <Section id="reasons" heading={heading}>
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
