import styles from './figures.module.css'

interface FigureProps {
  name: string
  count: number
  href: string
  /** The one that the others are parts of. */
  isFirst?: boolean
}

export const Figure = ({ name, count, href, isFirst = false }: FigureProps) => (
  <div className={styles.figure} data-first={isFirst || undefined}>
    <dt>
      <a href={href}>{name}</a>
    </dt>
    <dd>{count.toLocaleString('en-US')}</dd>
  </div>
)
