import { Hono } from 'hono'
import type { ConsoleContext, ConsoleEnv, ConsoleServices } from '#console/console-services.ts'
import { readForm } from '#console/requests/read-form.ts'
import { replyWithTable, showError } from '#console/requests/render-pages.tsx'
import { describeRemovedValue } from '#console/shell/dated-values.tsx'
import { addMonths, type Day, formatMonth, parseMonth } from '#domain/calendar.ts'
import type { DatedValueTexts } from '#domain/money/dated-value.ts'
import {
  type Message,
  makeFieldMessage,
  makeProblemMessage,
  makeSuccessMessage,
} from '#domain/operator/messages.ts'
import { formatDollars } from '#domain/text/formats.ts'
import { findLastMonth, formatStatementCsv } from '#server/money/statements.ts'
import { authorize } from '#server/operators/authorize.ts'
import { CloseStatementPage, StatementPage } from './statement-page.tsx'
import { StatementsPage } from './statements-page.tsx'

const path = '/statements'
const emptyRevenue: DatedValueTexts = { amount: '', startsOn: '', program: '' }

/** Shows what each affiliate is owed for a month, and lets an admin close a statement and set the revenue. */
export function statementRoutes(services: ConsoleServices) {
  const { affiliates, statements, datedValues, flash, clock, programs, settings } = services
  const { zone } = settings.delivery
  const showList = async (c: ConsoleContext, message?: Message, typed = emptyRevenue) => {
    const given = c.req.query('month')
    const lastMonth = findLastMonth(clock(), zone)
    const month = (given && parseMonth(given)) || lastMonth
    const fault = given !== undefined && parseMonth(given) === undefined
    const problem = makeProblemMessage(`“${given}” is not a month: write it like 2026-11`)
    const page = (
      <StatementsPage
        month={month}
        thisMonth={addMonths(lastMonth, 1)}
        statements={await statements.list(c.get('actor'), month)}
        money={await statements.readMoney(c.get('actor'), month)}
        values={await datedValues.list(c.get('actor'), 'revenue')}
        programs={programs()}
        typed={typed}
      />
    )
    return c.render(page, message ?? (fault ? problem : undefined), message || !fault ? 200 : 400)
  }

  /** Finds the statement that the URL names. */
  const find = async (c: ConsoleContext) => {
    const month = parseMonth(c.req.param('month') ?? '')
    if (month === undefined) return undefined
    return statements.find(c.get('actor'), c.req.param('affiliate') ?? '', month)
  }
  const showMissing = (c: ConsoleContext) =>
    showError(c, 'Statement not found', 'Check the affiliate and the month in the URL.', 404)
  const isOver = (month: Day) => month <= findLastMonth(clock(), zone)
  const one = `${path}/:affiliate/:month`

  return new Hono<ConsoleEnv>()
    .get(path, (c) => showList(c))
    .post(`${path}/revenue`, async (c) => {
      authorize(c.get('actor'), 'change the revenue', clock())
      const { lacks: _, ...typed } = await readForm(c, 'amount', 'startsOn', 'program')
      const errors = await datedValues.set(c.get('actor'), 'revenue', typed)
      if (Object.keys(errors).length > 0) return showList(c, makeFieldMessage(errors), typed)
      const text = 'Leads that were accepted before keep theirs.'
      return flash.redirect(c, path, makeSuccessMessage('The revenue is set', text))
    })
    .post(`${path}/revenue/remove`, async (c) => {
      const { value } = await readForm(c, 'value')
      const isRemoved = await datedValues.remove(c.get('actor'), 'revenue', value)
      return flash.redirect(c, path, describeRemovedValue('revenue', isRemoved))
    })
    .get(one, async (c) => {
      const statement = await find(c)
      if (statement === undefined) return showMissing(c)
      const canClose = statement.closed === undefined && isOver(statement.month)
      const all = await affiliates.list(c.get('actor'))
      const ids = all.find(({ id }) => id === statement.affiliate)?.ids ?? []
      return c.render(<StatementPage {...{ statement, ids, canClose }} />)
    })
    .get(`${one}/csv`, async (c) => {
      const statement = await find(c)
      if (statement === undefined) return showMissing(c)
      const name = `statement-${statement.affiliate}-${formatMonth(statement.month)}`
      return replyWithTable(c, name, formatStatementCsv(statement))
    })
    .get(`${one}/close`, async (c) => {
      authorize(c.get('actor'), 'close statements', clock())
      const statement = await find(c)
      if (statement === undefined) return showMissing(c)
      return c.render(<CloseStatementPage statement={statement} />)
    })
    .post(`${one}/close`, async (c) => {
      authorize(c.get('actor'), 'close statements', clock())
      const statement = await find(c)
      if (statement === undefined) return showMissing(c)
      const { affiliate, name, month } = statement
      const outcome = await statements.close(c.get('actor'), affiliate, month)
      const closed = await find(c)
      const to = `${path}/${affiliate}/${formatMonth(month)}`
      if (outcome !== 'closed') return flash.redirect(c, to, makeProblemMessage(problems[outcome]))
      const heading = `Statement closed: ${name}, ${formatMonth(month)}`
      const text = `${formatDollars(closed?.owedCents ?? 0)} owed. Nobody can change this statement.`
      return flash.redirect(c, to, makeSuccessMessage(heading, text))
    })
}

const problems = {
  'closed before': 'The statement was closed before. Nothing was changed.',
  'not over': 'The month is not over. Nothing was changed.',
  'no affiliate': 'The affiliate was removed. Nothing was changed.',
}
