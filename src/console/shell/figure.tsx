import styles from './figures.module.css'

interface FigureProps {
  name: string
  figure: string
  /** The list of what it counts. */
  href: string
  /** Whether the figures beside it are parts of it. */
  isTotal?: boolean
}

export const Figure = ({ name, figure, href, isTotal = false }: FigureProps) => (
  <div className={styles.figure} data-first={isTotal || undefined}>
    <dt>
      <a href={href}>{name}</a>
    </dt>
    <dd>{figure}</dd>
  </div>
)
