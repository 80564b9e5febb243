import { ConsolePage } from '#console/shell/console-page.tsx'
import controls from '#console/shell/controls.module.css'
import { type Column, makeNumberColumn } from '#console/shell/data-table.tsx'
import { DescriptionList } from '#console/shell/description-list.tsx'
import { ConfirmPage } from '#console/shell/edit-form.tsx'
import { ButtonForm, StepUpButton } from '#console/shell/forms.tsx'
import { useMayDo, useNeedsStepUp } from '#console/shell/shell.tsx'
import { makeMoneyColumn, SortableTable } from '#console/shell/sortable-table.tsx'
import { Timestamp } from '#console/shell/times.tsx'
import layout from '#console/shell/two-columns.module.css'
import { addMonths, type Day, formatMonth } from '#domain/calendar.ts'
import { day } from '#domain/durations.ts'
import { maskAffiliateId } from '#domain/lead/mask-lead.ts'
import { type Statement, type StatementLine, sumStatementLines } from '#domain/money/statement.ts'
import { formatDollars, pluralize } from '#domain/text/formats.ts'
import { describeUnit } from '#domain/text/time-formats.ts'

interface StatementPageProps {
  statement: Statement
  /** The affiliate's ids in links; undefined if the affiliate was removed. */
  ids: readonly string[] | undefined
  /** The name of the company that pays. */
  payer: string
  canClose: boolean
}

/** Shows what an affiliate is owed for a month, on one sheet of paper. Admins can close the statement. */
export function StatementPage({ statement, ids, payer, canClose }: StatementPageProps) {
  const { affiliate, name, month, closed, lines, ...sums } = statement
  const at = `/statements/${affiliate}/${formatMonth(month)}`
  const next = addMonths(month, 1)
  return (
    <ConsolePage name="Statement">
      <h2>
        {name}, {describeUnit('month', month)}
      </h2>
      <section className={layout.card}>
        <DescriptionList
          items={[
            ['Payer', payer],
            ['Payee', name],
            ['Period', describeMonth(month)],
            ['Affiliate ids', ids?.map(maskAffiliateId).join(', ') || 'none'],
            ['Owed', formatDollars(sums.owedCents)],
            [
              'Statement',
              closed === undefined ? (
                'open: the numbers can still change'
              ) : (
                <>
                  closed <Timestamp at={closed.at} />
                  {closed.by && <span data-not-printed=""> by {closed.by}</span>}
                </>
              ),
            ],
          ]}
        />
      </section>
      <SortableTable
        name="Leads by payout"
        columns={columns}
        rows={lines}
        total={{ payoutCents: null, ...sums, isTotal: true }}
        empty="No lead was accepted or returned."
        fileUrl={`${at}/csv`}
      />
      <p>
        Returned leads were accepted on this statement, and reversed leads on an earlier one. Owed
        is the payout of the accepted leads, less that of both.
        {closed && ' Later returns are on the next open statement.'}
      </p>
      <nav aria-label="Statement" className={controls.acts}>
        {closed && (
          <a href={`/statements/${affiliate}/${formatMonth(next)}`}>
            Statement of {describeUnit('month', next)}
          </a>
        )}
        <a href={`/statements?month=${formatMonth(month)}`}>All statements of the month</a>
        {ids && <a href={`/affiliates/${affiliate}`}>The affiliate</a>}
      </nav>
      {canClose && <CloseButton at={at} button="Close statement" />}
    </ConsolePage>
  )
}

/** Returns, for example, `October 1–31, 2026`. */
function describeMonth(month: Day): string {
  const last = new Date(addMonths(month, 1) - day)
  return describeUnit('month', month).replace(' ', ` 1–${last.getUTCDate()}, `)
}

/** Says how a line's amount comes about, such as `(3 − 1 − 0) × $20.50`. */
const describeCalculation = ({ payoutCents, accepted, returned, reversed, isTotal }: Row) =>
  !isTotal &&
  payoutCents !== null &&
  `(${accepted} − ${returned} − ${reversed}) × ${formatDollars(payoutCents)}`

type Row = StatementLine & { readonly isTotal?: boolean }

const columns: readonly Column<Row>[] = [
  {
    heading: 'Payout per lead',
    cell: ({ payoutCents, isTotal }) =>
      isTotal ? 'Total' : payoutCents === null ? 'none' : formatDollars(payoutCents),
    value: ({ payoutCents }) => (payoutCents === null ? null : payoutCents / 100),
  },
  makeNumberColumn('Accepted', ({ accepted }) => accepted),
  makeNumberColumn('Returned', ({ returned }) => returned),
  makeNumberColumn('Reversed', ({ reversed }) => reversed),
  makeNumberColumn('Calculation', describeCalculation, null),
  makeMoneyColumn('Owed', ({ owedCents }) => owedCents),
]

/** Leads to the page that asks for a confirmation. @param at the path of a statement, or of all of a month */
export function CloseButton({ at, button }: { at: string; button: string }) {
  const needsStepUp = useNeedsStepUp()
  if (!useMayDo()('close statements')) return null
  return needsStepUp ? (
    <StepUpButton button="Confirm it’s you to close statements" />
  ) : (
    <ButtonForm method="get" action={`${at}/close`} button={button} />
  )
}

interface CloseStatementsPageProps {
  /** One statement, or all that are open for a month. */
  statements: readonly Statement[]
  at: string
}

/** Asks the admin to confirm that the numbers are final. */
export function CloseStatementsPage({ statements, at }: CloseStatementsPageProps) {
  const [{ name, month } = { name: '', month: 0 }, ...others] = statements
  const { owedCents } = sumStatementLines(statements.flatMap(({ lines }) => lines))
  const isOne = others.length === 0
  const payees = isOne ? `${name} is` : `${pluralize(statements.length, 'affiliate')} are`
  return (
    <ConfirmPage
      name={isOne ? 'Close this statement' : 'Close these statements'}
      warning={
        <p>
          {payees} owed {formatDollars(owedCents)} for {describeUnit('month', month)}. No payout,
          return or erasure changes a closed statement: later returns are on the next one.
        </p>
      }
      action={`${at}/close`}
      fields={{ shown: `${owedCents} ${statements.length}` }}
      button={isOne ? 'Close the statement' : `Close ${pluralize(statements.length, 'statement')}`}
      back={at.includes('/all/') ? `/statements?month=${formatMonth(month)}` : at}
    />
  )
}
