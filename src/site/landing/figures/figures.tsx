import type { Claim } from '#content/site-words.ts'
import { Section } from '../section/section.tsx'
import styles from './figures.module.css'

interface FiguresProps {
  heading: string
  claims: readonly Claim[]
  note: string
}

export function Figures({ heading, claims, note }: FiguresProps) {
  return (
    <Section id="figures" heading={heading}>
      <dl className={styles.figures}>
        {claims.map(({ figure, label }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{figure}</dd>
          </div>
        ))}
      </dl>
      <p className={styles.note}>{note}</p>
    </Section>
  )
}
