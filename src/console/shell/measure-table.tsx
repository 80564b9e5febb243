import type { Measure } from '#domain/money/ledger.ts'
import { makeNumberColumn } from './data-table.tsx'
import { SortableTable } from './sortable-table.tsx'

interface MeasureTableProps {
  name: string
  headings: readonly [now: string, before: string]
  measures: readonly Measure[]
  /** The same measures of another period; empty if it has no data. */
  before: readonly Measure[]
  /** Returns where a measure's number leads; undefined if it is no link. */
  hrefOf?: (name: string) => string | undefined
}

/** Lists the measures of a period, beside those of another. */
export function MeasureTable({ name, headings, measures, before, hrefOf }: MeasureTableProps) {
  const [now, earlier] = headings
  return (
    <SortableTable
      name={name}
      columns={[
        { heading: 'Measure', isUnlabeled: true, cell: (row) => row.name },
        makeNumberColumn(
          now,
          ({ name, text }: Row) => (hrefOf?.(name) ? <a href={hrefOf(name)}>{text}</a> : text),
          ({ value }) => value,
        ),
        makeNumberColumn(
          earlier,
          ({ before }: Row) => before?.text ?? 'no data',
          ({ before }) => before?.value,
        ),
      ]}
      rows={measures.map((measure, index) => ({ ...measure, before: before[index] }))}
    />
  )
}

type Row = Measure & { readonly before: Measure | undefined }
