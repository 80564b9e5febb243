import type { Context } from 'hono'
import type { ReactElement } from 'react'
import { renderHtml } from '#console/render.ts'
import type { Message } from '#console/shell/message.tsx'

/** Responds with a page, whose message says whether the request succeeded. */
export const showPage = (c: Context, page: ReactElement, message?: Message) =>
  c.html(renderHtml(page), message?.kind === 'problem' ? 422 : 200)
