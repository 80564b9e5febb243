import { type Column, DataTable, makeNumberColumn } from '#console/shell/data-table.tsx'
import type { FieldGroup } from '#console/shell/edit-form.tsx'
import { Timestamp } from '#console/shell/times.tsx'
import type { Program } from '#domain/catalogue/catalogue.ts'
import { type DatedValueTexts, formatFromDay } from '#domain/money/dated-value.ts'
import { formatDollars } from '#domain/text/formats.ts'
import type { SetValue } from '#server/money/dated-values.ts'

interface DatedValueTableProps {
  name: string
  values: readonly SetValue[]
  programs: readonly Program[]
}

/** Returns a program's name with its id. A program that is no longer in the catalogue has only its id. */
export const nameProgram = (programs: readonly Program[], id: number | null): string => {
  const name = programs.find((program) => program.id === id)?.name
  return id === null ? 'unknown' : name === undefined ? `program ${id}` : `${name} (${id})`
}

/** Lists payouts or revenues, each with the day from which it counts, and who set it. */
export function DatedValueTable({ name, values, programs }: DatedValueTableProps) {
  const columns: readonly Column<SetValue>[] = [
    { heading: 'From', cell: ({ fromDay }) => formatFromDay(fromDay) },
    {
      heading: 'Program',
      cell: ({ program }) => (program === null ? 'all' : nameProgram(programs, program)),
    },
    makeNumberColumn(name, ({ amountCents }) =>
      amountCents === null ? 'none' : formatDollars(amountCents),
    ),
    { heading: 'Set by', cell: ({ setBy }) => setBy || 'an earlier release' },
    { heading: 'Set at', cell: ({ setAt }) => setAt !== null && <Timestamp at={setAt} /> },
  ]
  return <DataTable name={`${name} by day`} columns={columns} rows={values} empty="None is set." />
}

/** Makes the fields of a form for a payout or a revenue. @param hint says what the amount is */
export const makeDatedValueFields = (
  programs: readonly Program[],
  hint: string,
): readonly FieldGroup<keyof DatedValueTexts>[] => [
  {
    fields: [
      {
        name: 'amount',
        label: 'US dollars',
        hint: `${hint}. Empty: from this day on, there is none, or a program gets that of all programs.`,
      },
      {
        name: 'startsOn',
        label: 'Starts on',
        type: 'date',
        hint: 'Optional. By default, today. Leads that were accepted before keep theirs.',
      },
      {
        name: 'program',
        label: 'For program',
        empty: 'All programs without their own',
        options: programs.map((program) => ({ value: `${program.id}`, text: program.name })),
      },
    ],
  },
]
