import type { ReactNode } from 'react'
import type { GuideRow } from '../guide.ts'

/** What to type, and what then happens. */
export function GuideTable({
  caption,
  head,
  rows,
}: {
  readonly caption: ReactNode
  readonly head: GuideRow
  readonly rows: readonly GuideRow[]
}) {
  return (
    <table className="guide">
      <caption>{caption}</caption>
      <thead>
        <tr>
          <th scope="col">{head[0]}</th>
          <th scope="col">{head[1]}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(([input, effect]) => (
          <tr key={input}>
            <th scope="row">{input}</th>
            <td>{effect}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
