import { Hono } from 'hono'
import type { ConsoleContext, ConsoleEnv, ConsoleServices } from '#console/console-services.ts'
import { readMonth } from '#console/ranges/month-links.tsx'
import { readForm } from '#console/requests/read-form.ts'
import { replyWithTable, showError } from '#console/requests/render-pages.tsx'
import {
  describeRemovedValue,
  describeSetValue,
  RemoveValuePage,
} from '#console/shell/dated-values.tsx'
import { addMonths, type Day, formatMonth, parseMonth, toDay } from '#domain/calendar.ts'
import type { DatedValueTexts } from '#domain/money/dated-value.ts'
import { awaitsClosing, sumStatementLines } from '#domain/money/statement.ts'
import {
  type Message,
  makeFieldMessage,
  makeProblemMessage,
  makeSuccessMessage,
} from '#domain/operator/messages.ts'
import { pluralize } from '#domain/text/formats.ts'
import { describeDay, describeUnit } from '#domain/text/time-formats.ts'
import { type CloseOutcome, findLastMonth, formatStatementCsv } from '#server/money/statements.ts'
import { authorize } from '#server/operators/authorize.ts'
import { CloseStatementsPage, StatementPage } from './statement-page.tsx'
import { StatementsPage } from './statements-page.tsx'

const path = '/statements'
const emptyRevenue: DatedValueTexts = { amount: '', startsOn: '', program: '' }

/** Shows what each affiliate is owed for a month, and lets an admin close a statement and set the revenue. */
export function statementRoutes(services: ConsoleServices) {
  const { affiliates, statements, datedValues, flash, clock, programs, settings } = services
  const { zone } = settings.delivery
  const showList = async (c: ConsoleContext, message?: Message, typed = emptyRevenue) => {
    const lastMonth = findLastMonth(clock(), zone)
    const { month = lastMonth, problem } = readMonth(c.req.query('month'))
    const page = (
      <StatementsPage
        month={month}
        thisMonth={addMonths(lastMonth, 1)}
        statements={await statements.list(c.get('actor'), month)}
        money={await statements.readMoney(c.get('actor'), month)}
        before={await statements.readMoney(c.get('actor'), addMonths(month, -1))}
        openMonths={await statements.listOpenMonths(c.get('actor'))}
        values={await datedValues.list(c.get('actor'), 'revenue')}
        programs={programs()}
        typed={typed}
      />
    )
    return c.render(page, message ?? problem, message ? undefined : problem && 400)
  }

  /** Finds the statements that the URL names: an affiliate's, or for `all` the open ones of the month. */
  const find = async (c: ConsoleContext) => {
    const month = parseMonth(c.req.param('month') ?? '')
    if (month === undefined) return []
    const affiliate = c.req.param('affiliate') ?? ''
    if (affiliate !== 'all') {
      const found = await statements.find(c.get('actor'), affiliate, month)
      return found ? [found] : []
    }
    const all = await statements.list(c.get('actor'), month)
    return all.filter(awaitsClosing)
  }
  const showMissing = (c: ConsoleContext) => {
    const month = parseMonth(c.req.param('month') ?? '')
    return c.req.param('affiliate') === 'all' && month !== undefined
      ? showError(c, 'Nothing to close', `No statement of ${nameMonth(month)} is open.`, 404)
      : showError(c, 'Statement not found', 'Check the affiliate and the month in the URL.', 404)
  }
  const isOver = (month: Day) => month <= findLastMonth(clock(), zone)
  const one = `${path}/:affiliate/:month`

  return new Hono<ConsoleEnv>()
    .get(path, (c) => showList(c))
    .post(`${path}/revenue`, async (c) => {
      authorize(c.get('actor'), 'change the revenue', clock())
      const { lacks: _, ...typed } = await readForm(c, 'amount', 'startsOn', 'program')
      const errors = await datedValues.set(c.get('actor'), 'revenue', typed)
      if (Object.keys(errors).length > 0) return showList(c, makeFieldMessage(errors), typed)
      const today = toDay(clock(), zone)
      return flash.redirect(c, path, describeSetValue('Revenue', typed, today, programs()))
    })
    .get(`${path}/revenue/remove`, async (c) => {
      authorize(c.get('actor'), 'change the revenue', clock())
      const values = await datedValues.list(c.get('actor'), 'revenue')
      const removed = { id: c.req.query('value'), values, programs: programs(), now: clock() }
      return c.render(
        <RemoveValuePage
          name="revenue"
          {...removed}
          action={`${path}/revenue/remove`}
          back={path}
        />,
      )
    })
    .post(`${path}/revenue/remove`, async (c) => {
      const { value } = await readForm(c, 'value')
      const isRemoved = await datedValues.remove(c.get('actor'), 'revenue', value)
      return flash.redirect(c, path, describeRemovedValue('revenue', isRemoved))
    })
    .get(one, async (c) => {
      const [statement, ...others] = await find(c)
      if (statement === undefined || others.length > 0) return showMissing(c)
      const canClose = statement.closed === undefined && isOver(statement.month)
      const all = await affiliates.list(c.get('actor'))
      const ids = all.find(({ id }) => id === statement.affiliate)?.ids
      const payer = settings.names.operator
      return c.render(<StatementPage {...{ statement, ids, payer, canClose }} />)
    })
    .get(`${one}/csv`, async (c) => {
      const [statement, ...others] = await find(c)
      if (statement === undefined || others.length > 0) return showMissing(c)
      const name = `Statement ${statement.name} ${formatMonth(statement.month)}`
      return replyWithTable(c, name, formatStatementCsv(statement))
    })
    .get(`${one}/close`, async (c) => {
      authorize(c.get('actor'), 'close statements', clock())
      const found = await find(c)
      const at = `${path}/${c.req.param('affiliate')}/${c.req.param('month')}`
      return found.length === 0
        ? showMissing(c)
        : c.render(<CloseStatementsPage statements={found} at={at} />)
    })
    .post(`${one}/close`, async (c) => {
      authorize(c.get('actor'), 'close statements', clock())
      const found = await find(c)
      const [first] = found
      if (first === undefined) return showMissing(c)
      const month = formatMonth(first.month)
      const at = `${path}/${c.req.param('affiliate')}/${month}`
      const { owedCents } = sumStatementLines(found.flatMap(({ lines }) => lines))
      const { shown } = await readForm(c, 'shown')
      if (shown !== `${owedCents} ${found.length}` && first.closed === undefined)
        return flash.redirect(c, `${at}/close`, describeProblem('changed', first.month))
      const outcomes: CloseOutcome[] = []
      for (const { affiliate } of found)
        outcomes.push(await statements.close(c.get('actor'), affiliate, first.month))
      const isAll = c.req.param('affiliate') === 'all'
      const to = isAll ? `${path}?month=${month}` : at
      const closed = found.filter((_, index) => outcomes[index] === 'closed')
      const [outcome = 'closed'] = outcomes
      if (closed.length === 0 && outcome !== 'closed')
        return flash.redirect(c, to, describeProblem(outcome, first.month))
      const heading = isAll
        ? `${pluralize(closed.length, 'statement')} closed: ${nameMonth(first.month)}`
        : `Statement closed: ${first.name}, ${nameMonth(first.month)}`
      const text = 'Nobody can change what is closed.'
      return flash.redirect(c, to, makeSuccessMessage(heading, text))
    })
}

const nameMonth = (month: Day) => describeUnit('month', month)

const describeProblem = (outcome: CloseOutcome | 'changed', month: Day): Message => {
  if (outcome === 'changed')
    return makeProblemMessage('The numbers have changed. Read them again: nothing was closed.')
  return makeProblemMessage(
    outcome === 'not over'
      ? `${nameMonth(month)} can be closed from ${describeDay(addMonths(month, 1))} on. Nothing was changed.`
      : 'The statement is already closed. Nothing was changed.',
  )
}
