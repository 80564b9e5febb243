import type { Reason } from '#content/area-pages.ts'
import { claimsNote } from '#content/claims.ts'
import styles from './marketing.module.css'

export function Marketing({ reasons }: { reasons: readonly Reason[] }) {
  return (
    <section className={styles.block} aria-labelledby="reasons">
      <h2 className={styles.title} id="reasons">
        Four things to weigh
      </h2>
      <ul className={styles.reasons}>
        {reasons.map(({ topic, heading, text }) => (
          <li className={styles.reason} key={topic}>
            <p className={styles.topic}>{topic}</p>
            <h3 className={styles.heading}>{heading}</h3>
            <p className={styles.text}>{text}</p>
          </li>
        ))}
      </ul>
      <p className={styles.note}>{claimsNote}</p>
    </section>
  )
}
