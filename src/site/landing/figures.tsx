import { type Claim, claimsNote } from '#content/claims.ts'
import { landingHeadings } from '#content/landing-words.ts'
import styles from './figures.module.css'
import { Section } from './section.tsx'

export function Figures({ claims }: { claims: readonly Claim[] }) {
  return (
    <Section id="figures" heading={landingHeadings.figures}>
      <dl className={styles.figures}>
        {claims.map(({ figure, label }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{figure}</dd>
          </div>
        ))}
      </dl>
      <p className={styles.note}>{claimsNote}</p>
    </Section>
  )
}
