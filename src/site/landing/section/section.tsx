import type { ReactNode } from 'react'
import styles from './section.module.css'

interface SectionProps {
  /** Names the section by its heading; also what a link can lead to. */
  id: string
  heading: string
  /** A deeper one sets what is to be chosen apart from what is told. */
  ground?: 'page' | 'deep'
  children: ReactNode
}

/** A part of the landing page below the form, from edge to edge. */
export function Section({ id, heading, ground = 'page', children }: SectionProps) {
  return (
    <section className={styles[ground]} aria-labelledby={id}>
      <h2 className={styles.heading} id={id}>
        {heading}
      </h2>
      {children}
    </section>
  )
}
