import { createMiddleware } from 'hono/factory'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import type { ReactElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import type { ConsoleContext, ConsoleEnv, ConsoleServices } from '#console/console-services.ts'
import { isInBackground } from '#console/security/require-session.ts'
import { ErrorPage } from '#console/shell/console-page.tsx'
import { ShellContext } from '#console/shell/shell.tsx'
import type { Message } from '#domain/operator/messages.ts'
import { escapeInvisibleInLines } from '#domain/text/plain-line.ts'

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
 * redirected to the page; a live update leaves this message to the page that the operator opens. Escapes the page's invisible characters, because much of the text comes
 * from visitors. Inline styles contain no invisible characters, so their CSP hashes stay valid.
 */
export const renderPages = ({ shellOf, flash }: Pick<ConsoleServices, 'shellOf' | 'flash'>) =>
  createMiddleware<ConsoleEnv>(async (c, next) => {
    c.setRenderer((page, ownMessage, status = ownMessage?.kind === 'problem' ? 422 : 200) => {
      const isOpened = c.req.method === 'GET' && !isInBackground(c)
      const message = ownMessage ?? (isOpened ? flash.take(c) : undefined)
      const shell = { ...shellOf(c), message }
      const html = renderToStaticMarkup(<ShellContext value={shell}>{page}</ShellContext>)
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
) => c.render(<ErrorPage name={name} text={text} />, undefined, status)
