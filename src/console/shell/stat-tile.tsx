import styles from './figures.module.css'

interface StatTileProps {
  name: string
  value: string
  /** The address of the list of exactly the counted leads, if a list can show them. */
  href?: string
  isTotal?: boolean
}

export const StatTile = ({ name, value, href, isTotal = false }: StatTileProps) => (
  <div className={styles.figure} data-first={isTotal || undefined}>
    <dt>{href === undefined ? name : <a href={href}>{name}</a>}</dt>
    <dd>{value}</dd>
  </div>
)
