import { Hono } from 'hono'
import { html } from '#console/render.ts'
import { SignInPage } from '#console/sign-in/sign-in-page.tsx'
import { headOf } from '#server/http/request-head.ts'
import type { Browser } from '#server/use-cases/operators/keep-sessions.ts'
import type { BrowserOf } from '../browser-of.ts'
import type { ConsoleContext, ConsoleEnv } from '../console-env.ts'
import { signInPath } from '../security/require-session.ts'
import type { SessionCookie } from '../security/session-cookie.ts'
import type { ShellOf } from '../shell-of.ts'

export interface SignInPorts {
  readonly shellOf: ShellOf
  readonly cookie: SessionCookie
  readonly browserOf: BrowserOf
  readonly signInByLink: (code: string, from: Browser) => Promise<string | undefined>
}

const spentLink =
  'This link was used already, or is too old. Whoever gave it to you can make another one.'

/** The one page for who is not signed in. */
export function signIn({ shellOf, cookie, browserOf, signInByLink }: SignInPorts) {
  const show = (c: ConsoleContext, more: { problem?: string; code?: string } = {}) =>
    c.html(html(<SignInPage shell={shellOf(c)} {...more} />), more.problem ? 403 : 200)

  const spend = async (c: ConsoleContext, code: string) => {
    const secret = await signInByLink(code, browserOf(c))
    if (secret === undefined) return show(c, { problem: spentLink })
    const wanted = cookie.wanted(c)
    cookie.wantNothing(c)
    cookie.write(c, secret)
    c.set('secret', secret)
    return c.redirect(wanted, 303)
  }

  return new Hono<ConsoleEnv>()
    .get(signInPath, async (c) => {
      const code = c.req.query('code')
      if (code === undefined) {
        return c.get('session') === undefined ? show(c) : c.redirect('/', 303)
      }
      return isOwnVisit(c) ? spend(c, code) : show(c, { code })
    })
    .post(`${signInPath}/link`, async (c) => {
      const { code } = await c.req.parseBody()
      return spend(c, typeof code === 'string' ? code : '')
    })
}

/**
 * From a terminal, an address bar or one of our pages. What only looks ahead would spend the link, and another site's link
 * would sign its reader in as somebody else: those are asked to press a button first.
 */
function isOwnVisit(c: ConsoleContext): boolean {
  const { header } = headOf(c)
  if (c.req.method !== 'GET' || header('sec-purpose') !== undefined) return false
  const site = header('sec-fetch-site')
  return site === undefined || site === 'none' || site === 'same-origin'
}
