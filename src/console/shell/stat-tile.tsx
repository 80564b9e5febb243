import styles from './figures.module.css'

interface StatTileProps {
  name: string
  value: string
  /** The URL of a list of the counted leads, if there is such a list. */
  href?: string
  isTotal?: boolean
}

export const StatTile = ({ name, value, href, isTotal = false }: StatTileProps) => (
  <div className={styles.figure} data-first={isTotal || undefined}>
    <dt>{href === undefined ? name : <a href={href}>{name}</a>}</dt>
    <dd>{value}</dd>
  </div>
)
