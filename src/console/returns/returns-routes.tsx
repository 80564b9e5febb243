import { Hono } from 'hono'
import type { ConsoleContext, ConsoleEnv, ConsoleServices } from '#console/console-services.ts'
import { readForm, readRawFields } from '#console/requests/read-form.ts'
import { ConsolePage } from '#console/shell/console-page.tsx'
import { type Column, DataTable, makeNumberColumn } from '#console/shell/data-table.tsx'
import { EditForm, type FieldGroup } from '#console/shell/edit-form.tsx'
import { Timestamp } from '#console/shell/times.tsx'
import {
  type Message,
  makeFieldMessage,
  makeProblemMessage,
  makeSuccessMessage,
} from '#domain/operator/messages.ts'
import { formatNumber, pluralize } from '#domain/text/formats.ts'
import { describeReturnsImport } from '#server/delivery/import-returns.ts'
import { maxReturnLines } from '#server/delivery/parse-returns.ts'
import { decodeCsv } from '#server/platform/csv-lines.ts'

export const returnsPath = '/returns'

const maxShownFaults = 100

/** What the operator typed into a form that the server refused, and the wrong lines of the file. */
interface RefusedImport {
  readonly typed: Readonly<Record<'lead' | 'date' | 'reason' | 'pasted', string>>
  readonly faults?: readonly { readonly line: number; readonly message: string }[]
}

/** Lets the operator import the distributor's list of returned leads. */
export function returnsRoutes({ returns, flash }: ConsoleServices) {
  const show = async (c: ConsoleContext, message?: Message, refused?: RefusedImport) => {
    const imports = await returns.imports(c.get('actor'))
    // The form suggests the headings of the last import.
    const { typed, faults = [] } = refused ?? {
      typed: { ...(await returns.columns()), pasted: '' },
    }
    const page = (
      <ConsolePage name="Returns">
        {faults.length > 0 && (
          <ul aria-label="Wrong lines">
            {faults.map(({ line, message: fault }) => (
              <li key={`${line} ${fault}`}>
                Line {line}: {fault}
              </li>
            ))}
          </ul>
        )}
        <EditForm
          permission="import returns"
          action={returnsPath}
          name="Import returns"
          button="Import"
          groups={fieldGroups}
          values={typed}
        />
        <h2>Imports</h2>
        <DataTable
          name="Imports"
          columns={importColumns}
          rows={imports}
          empty="No returns have been imported yet."
        />
        {imports.length > 0 && (
          <p>
            <a href="/leads?returned=yes">View the returned leads</a>
          </p>
        )}
      </ConsolePage>
    )
    return c.render(page, message)
  }

  return new Hono<ConsoleEnv>()
    .get(returnsPath, (c) => show(c))
    .post(returnsPath, async (c) => {
      const { lacks: _, ...typed } = await readForm(c, 'lead', 'date', 'reason', 'pasted')
      const { file } = await readRawFields(c)
      const text =
        file instanceof File && file.size > 0 ? decodeCsv(await file.bytes()) : typed.pasted
      const result = await returns.import(c.get('actor'), text, typed)
      if (result.kind === 'imported') {
        const message = makeSuccessMessage(`Returns imported: ${describeReturnsImport(result)}`)
        return flash.redirect(c, returnsPath, message)
      }
      const { faults, columns } = result
      const fields = text === '' ? { file: 'Choose the file, or paste the file’s lines.' } : columns
      if (Object.keys(fields).length > 0) return show(c, makeFieldMessage(fields), { typed })
      const heading = `Nothing was imported: ${pluralize(faults.length, 'line is', 'lines are')} wrong`
      const hidden = pluralize(faults.length - maxShownFaults, 'more line')
      const note = `The page lists the first ${maxShownFaults}, and leaves out ${hidden}.`
      const message = makeProblemMessage(heading, faults.length > maxShownFaults ? note : undefined)
      return show(c, message, { typed, faults: faults.slice(0, maxShownFaults) })
    })
}

type ReturnsImport = Awaited<ReturnType<ConsoleServices['returns']['imports']>>[number]

const importColumns: readonly Column<ReturnsImport>[] = [
  { heading: 'Imported', isUnlabeled: true, cell: ({ at }) => <Timestamp at={at} /> },
  makeNumberColumn('Leads', ({ leads }) => leads),
  {
    heading: 'Returned',
    cell: ({ from, to }) => (
      <span>
        <Timestamp at={from} format="day" />
        {to > from && (
          <>
            {' '}
            to <Timestamp at={to} format="day" />
          </>
        )}
      </span>
    ),
  },
]

const fieldGroups: readonly FieldGroup[] = [
  {
    fields: [
      {
        name: 'file',
        label: 'The distributor’s file',
        type: 'file',
        hint: `Choose a CSV file with a line of headings and at most ${formatNumber(maxReturnLines)} leads. Write dates like 2026-11-30 or 11/30/2026, with or without a time like 14:05 or 2:05 PM in the time zone of the school. If any line is wrong, the server imports nothing.`,
      },
      { name: 'pasted', label: 'Or paste the file’s lines', type: 'lines' },
    ],
  },
  {
    legend: 'Headings of the file',
    fields: [
      { name: 'lead', label: 'Id of the lead', isRequired: true },
      { name: 'date', label: 'Date', isRequired: true },
      {
        name: 'reason',
        label: 'Reason',
        hint: 'Leave this field empty if the file has no column with reasons.',
      },
    ],
  },
]
