import type { ContentfulStatusCode } from 'hono/utils/http-status'
import type { ReactElement } from 'react'
import { renderHtml } from '#console/render.ts'
import type { ConsoleAssets } from '#console/shell/console-assets.ts'
import { type ConsoleShell, MessagePage } from '#console/shell/console-page.tsx'
import type { Message } from '#console/shell/message.tsx'
import { isRecentSignIn } from '#domain/operator/rights.ts'
import type { ConsoleContext } from './console-env.ts'
import { makeFormToken } from './security/same-origin-requests.ts'

interface ShellOptions {
  readonly assets: ConsoleAssets
  readonly isDemo: boolean
  readonly clock: () => number
}

export const makeShellFactory =
  ({ assets, isDemo, clock }: ShellOptions) =>
  (c: ConsoleContext): ConsoleShell => {
    const session = c.get('session')
    const isOld = session !== undefined && !isRecentSignIn(session.lastAuthenticatedAt, clock())
    const { pathname, search } = new URL(c.req.url)
    return {
      assets,
      path: c.req.path,
      confirmFor: isOld ? pathname + search : undefined,
      token: makeFormToken(c.get('secret')),
      operator: session?.operator,
      canRefresh: c.req.method === 'GET',
      isDemo,
    }
  }

export const makeShowMessage =
  (shellOf: (c: ConsoleContext) => ConsoleShell) =>
  (c: ConsoleContext, name: string, text: string, status: ContentfulStatusCode) =>
    c.html(renderHtml(<MessagePage shell={shellOf(c)} name={name} text={text} />), status)

/** Responds with a page, whose message says whether the request succeeded. */
export const showPage = (c: ConsoleContext, page: ReactElement, message?: Message) =>
  c.html(renderHtml(page), message?.kind === 'problem' ? 422 : 200)
