import { Fragment } from 'react'
import { MonthLink, MonthLinks } from '#console/ranges/month-links.tsx'
import { ConsolePage } from '#console/shell/console-page.tsx'
import { type Column, makeNumberColumn } from '#console/shell/data-table.tsx'
import { DatedValues } from '#console/shell/dated-values.tsx'
import { MeasureTable } from '#console/shell/measure-table.tsx'
import { TextWithLinks } from '#console/shell/message.tsx'
import { makeMoneyColumn, SortableTable } from '#console/shell/sortable-table.tsx'
import { Timestamp } from '#console/shell/times.tsx'
import { addMonths, type Day, formatMonth } from '#domain/calendar.ts'
import type { Program } from '#domain/catalogue/catalogue.ts'
import type { DatedValueTexts } from '#domain/money/dated-value.ts'
import { listMoney, type MoneySums } from '#domain/money/ledger.ts'
import { awaitsClosing, type Statement, sumStatementLines } from '#domain/money/statement.ts'
import { formatDollars, pluralize } from '#domain/text/formats.ts'
import { describeUnit } from '#domain/text/time-formats.ts'
import type { SetValue } from '#server/money/dated-values.ts'
import type { OpenMonth } from '#server/money/statements.ts'
import { CloseButton } from './statement-page.tsx'

interface StatementsPageProps {
  month: Day
  /** The month that runs now, after which no statement exists. */
  thisMonth: Day
  statements: readonly Statement[]
  money: MoneySums
  /** What the month before earned and cost. */
  before: MoneySums
  /** The months that are over and have open statements. */
  openMonths: readonly OpenMonth[]
  values: readonly SetValue[]
  programs: readonly Program[]
  typed: DatedValueTexts
}

/** Lists the statements of all affiliates for a month, and the revenue per accepted lead. */
export function StatementsPage({
  month,
  thisMonth,
  statements,
  money,
  before,
  openMonths,
  ...form
}: StatementsPageProps) {
  const sums = sumStatementLines(statements.flatMap(({ lines }) => lines))
  const hasBefore = before.accepted + before.returned + before.spendCents > 0
  const payees = statements.filter(({ lines }) => lines.length > 0).length
  const open = statements.filter(awaitsClosing).length
  const otherMonths = openMonths.filter((one) => one.month !== month)
  return (
    <ConsolePage name="Statements">
      <MonthLinks path="/statements" month={month} thisMonth={thisMonth} />
      <h2>{describeUnit('month', month)}</h2>
      <p>
        {month > thisMonth
          ? `${describeUnit('month', month)} has not begun.`
          : `${formatDollars(sums.owedCents)} owed to ${pluralize(payees, 'affiliate')}; ${pluralize(open, 'statement is', 'statements are')} open.`}
        {otherMonths.length > 0 && ' Open in other months: '}
        {otherMonths.map((one, index) => (
          <Fragment key={one.month}>
            {index > 0 && ', '}
            <MonthLink path="/statements" month={one.month} /> ({one.open})
          </Fragment>
        ))}
        {otherMonths.length > 0 && '.'}{' '}
        <TextWithLinks text="docs/measuring.md, “Statements” defines each number." />
      </p>
      <SortableTable
        name={`Statements of ${describeUnit('month', month)}`}
        columns={columns}
        rows={statements}
        total={{ ...sums, affiliate: '', name: 'Total', month, closed: undefined, lines: [] }}
        empty="No affiliates yet."
      />
      {open > 0 && month < thisMonth && (
        <CloseButton
          at={`/statements/all/${formatMonth(month)}`}
          button={`Close all of ${describeUnit('month', month)}`}
        />
      )}
      <h2>Money of the month</h2>
      <p>All leads that were accepted or returned in the month, with or without an affiliate.</p>
      <MeasureTable
        name={`Money of ${describeUnit('month', month)}`}
        headings={[describeUnit('month', month), describeUnit('month', addMonths(month, -1))]}
        measures={listMoney(money)}
        before={hasBefore ? listMoney(before) : []}
      />
      <h2>Revenue per accepted lead</h2>
      <DatedValues
        name="Revenue"
        permission="change the revenue"
        path="/statements/revenue"
        hint="What the distributor pays for a lead"
        {...form}
      />
    </ConsolePage>
  )
}

/** The row of totals has no affiliate. */
const columns: readonly Column<Statement>[] = [
  {
    heading: 'Affiliate',
    isUnlabeled: true,
    cell: ({ affiliate, name, month }) =>
      affiliate === '' ? (
        name
      ) : (
        <a href={`/statements/${affiliate}/${formatMonth(month)}`}>{name}</a>
      ),
    value: ({ name }) => name,
  },
  makeNumberColumn('Accepted', ({ accepted }) => accepted),
  makeNumberColumn('Returned', ({ returned }) => returned),
  makeNumberColumn('Reversed', ({ reversed }) => reversed),
  makeMoneyColumn('Owed', ({ owedCents }) => owedCents),
  {
    heading: 'Statement',
    cell: ({ affiliate, closed, lines }) =>
      closed === undefined ? (
        affiliate !== '' && describeOpen(lines)
      ) : (
        <>
          closed <Timestamp at={closed.at} format="day" />
        </>
      ),
    value: ({ closed, lines }) => (closed === undefined ? describeOpen(lines) : 'closed'),
  },
]

const describeOpen = (lines: Statement['lines']): string =>
  lines.length === 0 ? 'no leads' : 'open'
