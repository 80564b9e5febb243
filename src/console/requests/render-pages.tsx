import type { ErrorHandler } from 'hono'
import { createMiddleware } from 'hono/factory'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import type { Logger } from 'pino'
import type { ReactElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import type { ConsoleContext, ConsoleEnv, ConsoleServices } from '#console/console-services.ts'
import { isInBackground } from '#console/security/require-session.ts'
import { ErrorPage } from '#console/shell/console-page.tsx'
import { type ConsoleShell, ShellContext } from '#console/shell/shell.tsx'
import { toUrlName } from '#console/shell/sortable-table.tsx'
import { redirectToStepUp } from '#console/sign-in/step-up-page.tsx'
import type { Message } from '#domain/operator/messages.ts'
import { pluralize } from '#domain/text/formats.ts'
import { escapeInvisibleInLines } from '#domain/text/plain-line.ts'
import { TooManyJobsError } from '#server/jobs/jobs.ts'
import { InvalidFilterError } from '#server/leads/lead-filters.ts'
import { SearchExpiredError } from '#server/leads/person-searches.ts'
import { NotAllowedError, StepUpRequiredError } from '#server/operators/authorize.ts'
import { TooManyAttemptsError } from '#server/operators/sign-in-attempts.ts'
import { formatCsvLine } from '#server/platform/export-formats.ts'
import { isPostgresUnavailable, isQueryTooLong } from '#server/platform/faults/database-errors.ts'
import {
  describeStoreFault,
  explainStorageFailure,
} from '#server/platform/faults/sanitize-error.ts'
import { isAborted } from '#server/platform/http/request-head.ts'
import { makeFailureLog } from '#server/platform/observability/failure-log.ts'

declare module 'hono' {
  /** Replies with a page and its message. By default, the status is 422 if the message reports a problem. */
  interface ContextRenderer {
    // biome-ignore lint/style/useShorthandFunctionType: TypeScript merges Hono's interface only with an interface
    (
      page: ReactElement,
      message?: Message,
      status?: ContentfulStatusCode,
    ): Response | Promise<Response>
  }
}

/**
 * Lets routes reply with a page by `c.render`. A page without a message of its own shows the message of the request that
 * redirected to the page; a live update leaves this message to the page that the operator opens. Escapes the page's
 * invisible characters, because much of the text comes from visitors. Inline styles contain no invisible characters, so
 * their CSP hashes stay valid.
 */
export const renderPages = ({ shellOf, flash }: Pick<ConsoleServices, 'shellOf' | 'flash'>) =>
  createMiddleware<ConsoleEnv>(async (c, next) => {
    c.setRenderer((page, ownMessage, status = ownMessage?.kind === 'problem' ? 422 : 200) => {
      const table = status === 200 && c.req.method === 'GET' ? c.req.query('csv') : undefined
      const isOpened = c.req.method === 'GET' && table === undefined && !isInBackground(c)
      const message = ownMessage ?? (isOpened ? flash.take(c) : undefined)
      let file: string | undefined
      let name = ''
      const nameParts: string[] = []
      const takeTable: ConsoleShell['takeTable'] = (id, makeLines, fileName) => {
        if (id !== table) return
        file = makeLines().map(formatCsvLine).join('')
        name = fileName
      }
      const { search } = new URL(c.req.url)
      const shell = {
        ...shellOf(c),
        message,
        query: search.slice(1),
        takeTable: table === undefined ? undefined : takeTable,
        nameFile: (part: string) => nameParts.push(part),
      }
      const html = renderToStaticMarkup(<ShellContext value={shell}>{page}</ShellContext>)
      // The page that shows a table also makes its file, so the file has the page's filter, permission and masks.
      if (table !== undefined) {
        return file === undefined
          ? showError(c, 'Table not found', 'The page has no such table with rows.', 404)
          : replyWithTable(c, [name, ...nameParts].join(' '), file)
      }
      return c.html(`<!doctype html>${escapeInvisibleInLines(html)}`, status)
    })
    await next()
  })

/** Replies with a CSV file. A byte order mark begins it, because Excel would otherwise read UTF-8 as Windows-1252. @param name of which the file's name keeps letters without accents and digits */
export const replyWithTable = (c: ConsoleContext, name: string, file: string) =>
  c.body(`\uFEFF${file}`, 200, {
    'Content-Type': 'text/csv; charset=utf-8',
    'Content-Disposition': `attachment; filename="${toUrlName(name)}.csv"`,
  })

/** Replies with a page that shows an error. */
export const showError = (
  c: ConsoleContext,
  name: string,
  text: string,
  status: ContentfulStatusCode,
) => c.render(<ErrorPage name={name} text={text} />, undefined, status)

export function handleConsoleError(log: Logger): ErrorHandler<ConsoleEnv> {
  const failureLog = makeFailureLog(log, { begins: 'a page of the console failed' })
  return (error, c) => {
    if (isAborted(c)) return c.body(null, 400)
    const respond = (name: string, text: string, status: 403 | 422 | 429 | 500 | 503) =>
      showError(c, name, text, status)
    if (error instanceof NotAllowedError) {
      const text = `Your role can’t ${error.action}. Nothing was done. An admin can change your role on the Operators page.`
      return respond('Not allowed', text, 403)
    }
    if (error instanceof TooManyAttemptsError) {
      c.header('Retry-After', String(error.seconds))
      const text = `Nothing was done. Wait ${pluralize(error.seconds, 'second')}, then try again.`
      return respond('Too many attempts', text, 429)
    }
    if (error instanceof InvalidFilterError) {
      const text = 'Nothing was done. Go back and correct or clear the filter.'
      return respond('That filter isn’t valid', text, 422)
    }
    if (error instanceof SearchExpiredError) {
      const text =
        'A search works for an hour, and only for the operator who made it. Nothing was done. Search again on the Leads page.'
      return respond('That search has expired', text, 422)
    }
    if (error instanceof TooManyJobsError) {
      return respond('Too many unfinished jobs', error.message, 429)
    }
    if (error instanceof StepUpRequiredError) return redirectToStepUp(c, error)
    if (isQueryTooLong(error)) {
      const text =
        'The page’s query took more than 5 seconds, so the console stopped it. Nothing was changed. Use fewer values or fewer days, or try again when fewer people use the console.'
      return respond('Narrow the filter', text, 503)
    }
    failureLog.failed(error, { method: c.req.method, route: c.req.routePath })
    if (isPostgresUnavailable(error) || describeStoreFault(error) !== undefined) {
      const text = `Reason: ${explainStorageFailure(error)}. Stored leads are safe. Your last action may or may not have taken effect: reload the page in a moment, and check before you repeat the action. If the problem lasts, see docs/runbook.md, “Leads are not stored”.`
      return respond('The console can’t use the store', text, 503)
    }
    const text =
      'The fault is ours, and the log has the details. Your last action may or may not have taken effect: check before you repeat it.'
    return respond('Something went wrong', text, 500)
  }
}
