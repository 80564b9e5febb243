import { Fragment, type ReactNode } from 'react'

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
