import { Fragment, type ReactNode } from 'react'
import styles from './figures.module.css'

export type DescriptionItem = readonly [term: ReactNode, details: ReactNode]

/** Lists terms with their details; `false` leaves an item out. */
export const DescriptionList = ({ items }: { items: readonly (DescriptionItem | false)[] }) => (
  <dl>
    {items.map(
      (item, index) =>
        item && (
          // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes in place
          <Fragment key={index}>
            <dt>{item[0]}</dt>
            <dd>{item[1]}</dd>
          </Fragment>
        ),
    )}
  </dl>
)

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
