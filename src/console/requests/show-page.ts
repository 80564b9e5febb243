import type { Context } from 'hono'
import type { ReactElement } from 'react'
import { renderHtml } from '#console/render-html.ts'
import type { Message } from '#domain/operator/messages.ts'

/** Responds with a page; the status is 422 if the page's message reports a problem. */
export const showPage = (c: Context, page: ReactElement, message?: Message) =>
  c.html(renderHtml(page), message?.kind === 'problem' ? 422 : 200)
