import styles from './figures.module.css'

interface FigureProps {
  name: string
  figure: string
  /** The address of the list of exactly those leads that the figure counts, if a list can show them. */
  href?: string
  isTotal?: boolean
}

export const Figure = ({ name, figure, href, isTotal = false }: FigureProps) => (
  <div className={styles.figure} data-first={isTotal || undefined}>
    <dt>{href === undefined ? name : <a href={href}>{name}</a>}</dt>
    <dd>{figure}</dd>
  </div>
)
