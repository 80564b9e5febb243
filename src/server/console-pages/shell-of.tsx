import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { html } from '#console/render.ts'
import type { ConsoleAssets } from '#console/shell/console-assets.ts'
import { MessagePage, type Shell } from '#console/shell/console-page.tsx'
import { isRecent } from '#domain/operator/rights.ts'
import type { ConsoleContext } from './console-env.ts'
import { tokenOf } from './security/same-origin-requests.ts'

export const makeShellOf =
  (assets: ConsoleAssets, { isDemo, clock }: { isDemo: boolean; clock: () => number }) =>
  (c: ConsoleContext): Shell => ({
    assets,
    path: c.req.path,
    confirmFor: confirmFor(c, clock()),
    token: tokenOf(c.get('secret')),
    operator: c.get('session')?.operator,
    canRefresh: c.req.method === 'GET',
    isDemo,
  })

function confirmFor(c: ConsoleContext, now: number): string | undefined {
  const session = c.get('session')
  if (session === undefined || isRecent(session.lastAuthenticatedAt, now)) return undefined
  const { pathname, search } = new URL(c.req.url)
  return pathname + search
}

export type ShellOf = ReturnType<typeof makeShellOf>

export const makeShowMessage =
  (shellOf: ShellOf) =>
  (c: ConsoleContext, name: string, text: string, status: ContentfulStatusCode) =>
    c.html(html(<MessagePage shell={shellOf(c)} name={name} text={text} />), status)

export type ShowMessage = ReturnType<typeof makeShowMessage>
