import { createMiddleware } from 'hono/factory'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import type { ReactElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import type { ConsoleContext, ConsoleEnv } from '#console/console-services.ts'
import { ErrorPage } from '#console/shell/console-page.tsx'
import { type ConsoleShell, ShellContext } from '#console/shell/shell.tsx'
import type { Message } from '#domain/operator/messages.ts'
import { escapeInvisibleInLines } from '#domain/text/escape-invisible.ts'

declare module 'hono' {
  /** Replies with a page. The result is the status, or the page's message: the status of a problem is 422. */
  interface ContextRenderer {
    // biome-ignore lint/style/useShorthandFunctionType: TypeScript merges Hono's interface only with an interface
    (page: ReactElement, result?: Message | ContentfulStatusCode): Response | Promise<Response>
  }
}

/**
 * Lets routes reply with a page by `c.render`. Escapes the page's invisible characters, because much of the text comes
 * from visitors. Inline styles contain no invisible characters, so their CSP hashes stay valid.
 */
export const renderPages = (shellOf: (c: ConsoleContext) => ConsoleShell) =>
  createMiddleware<ConsoleEnv>(async (c, next) => {
    c.setRenderer((page, result = 200) => {
      const status = typeof result === 'number' ? result : result.kind === 'problem' ? 422 : 200
      const html = renderToStaticMarkup(<ShellContext value={shellOf(c)}>{page}</ShellContext>)
      return c.html(`<!doctype html>${escapeInvisibleInLines(html)}`, status)
    })
    await next()
  })

/** Replies with a page that shows an error. */
export const showError = (
  c: ConsoleContext,
  name: string,
  text: string,
  status: ContentfulStatusCode,
) => c.render(<ErrorPage name={name} text={text} />, status)
