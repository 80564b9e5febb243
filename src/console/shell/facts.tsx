import { Fragment, type ReactNode } from 'react'

export type Fact = readonly [name: ReactNode, value: ReactNode]

/** Lists names with their values; `false` leaves an item out. */
export const Facts = ({
  of,
  className,
}: {
  of: readonly (Fact | false)[]
  className?: string | undefined
}) => (
  <dl className={className}>
    {of.map(
      (fact, index) =>
        fact && (
          // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes in place
          <Fragment key={index}>
            <dt>{fact[0]}</dt>
            <dd>{fact[1]}</dd>
          </Fragment>
        ),
    )}
  </dl>
)
