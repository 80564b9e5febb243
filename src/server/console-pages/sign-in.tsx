import { Hono } from 'hono'
import { html } from '#console/render.ts'
import type { Message } from '#console/shell/message.tsx'
import { SignInPage, type SignInPageProps } from '#console/sign-in/sign-in-page.tsx'
import { counted } from '#domain/text/counted.ts'
import type { Browser } from '#server/operators/sessions/keep-sessions.ts'
import type { Passkeys } from '#server/operators/sign-in/passkeys.ts'
import type { GivenPassword, SignInOutcome } from '#server/operators/sign-in/sign-in-by-password.ts'
import { headOf } from '#server/platform/http/request-head.ts'
import type { BrowserOf } from './browser-of.ts'
import type { ConsoleContext, ConsoleEnv } from './console-env.ts'
import { readAnswer, readForm } from './read-form.ts'
import type { KnownBrowserOf } from './security/known-browser.ts'
import { signInPath } from './security/require-session.ts'
import type { SessionCookie } from './security/session-cookie.ts'
import type { ShellOf } from './shell-of.ts'
import { awayInWords } from './single-sign-on/said-of-sign-on.ts'
import type { SignOnParts } from './single-sign-on/sign-on-parts.ts'

export interface SignInPorts {
  readonly shellOf: ShellOf
  readonly cookie: SessionCookie
  readonly browserOf: BrowserOf
  readonly knownBrowserOf: KnownBrowserOf
  readonly signInByLink: (code: string, from: Browser) => Promise<string | undefined>
  readonly signInByPassword: (given: GivenPassword, from: Browser) => Promise<SignInOutcome>
  readonly passkeys: Passkeys
  readonly singleSignOn: SignOnParts | undefined
}

const spentLink: Message = {
  kind: 'problem',
  heading: 'This link was used already, or is too old',
  text: 'Whoever gave it to you can make another one.',
}
/** Does not tell whether there is such an account: it says the same of both fields. */
const wrong: Message = {
  kind: 'problem',
  heading: 'That email address and password do not belong together.',
  fields: { email: 'Check your email address.', password: 'Enter your password again.' },
}
const unknownPasskey: Message = {
  kind: 'problem',
  heading: 'This passkey is not known here',
  text: 'Use another one, or your password.',
}

/** The page for who is not signed in. */
export function signIn(ports: SignInPorts) {
  const { shellOf, cookie, browserOf, knownBrowserOf, signInByLink, signInByPassword, passkeys } =
    ports
  type More = Omit<SignInPageProps, 'shell' | 'singleSignOn'>
  const show = (c: ConsoleContext, more: More = {}, status: 200 | 403 | 429 = 200) => {
    const provider = shownProvider(ports.singleSignOn)
    return c.html(html(<SignInPage shell={shellOf(c)} singleSignOn={provider} {...more} />), status)
  }

  const spend = async (c: ConsoleContext, code: string) => {
    const secret = await signInByLink(code, browserOf(c))
    return secret === undefined ? show(c, { problem: spentLink }, 403) : enter(c, cookie, secret)
  }

  return new Hono<ConsoleEnv>()
    .get(signInPath, async (c) => {
      const code = c.req.query('code')
      if (code === undefined) {
        return c.get('session') === undefined ? show(c) : c.redirect('/', 303)
      }
      return isOwnVisit(c) ? spend(c, code) : show(c, { code })
    })
    .post(signInPath, async (c) => {
      const { email, password } = await readForm(c, 'email', 'password')
      const knownAs = await knownBrowserOf(c, email)
      const outcome = await signInByPassword({ email, password, knownAs }, browserOf(c))
      if (outcome.kind === 'in') return enter(c, cookie, outcome.secret)
      if (outcome.kind === 'wrong') return show(c, { problem: wrong, email }, 403)
      c.header('Retry-After', String(outcome.seconds))
      return show(c, { problem: tooManyTries(outcome.seconds), email }, 429)
    })
    .post(`${signInPath}/link`, async (c) => spend(c, (await readForm(c, 'code')).code))
    .post(`${signInPath}/passkey/options`, async (c) =>
      c.json(await passkeys.signInOptions(c.get('secret'))),
    )
    .post(`${signInPath}/passkey`, async (c) => {
      const { answer } = await readForm(c, 'answer')
      const secret = await passkeys.signIn(readAnswer(answer), c.get('secret'), browserOf(c))
      return secret === undefined
        ? show(c, { problem: unknownPasskey }, 403)
        : enter(c, cookie, secret)
    })
}

function shownProvider(parts: SignOnParts | undefined) {
  if (parts === undefined) return undefined
  const { name } = parts.settings
  return { name, away: parts.useCase.isAway() ? awayInWords(name) : undefined }
}

const tooManyTries = (seconds: number): Message => ({
  kind: 'problem',
  heading: `Too many tries. Wait ${counted(seconds, 'second')}, then try again: a passkey signs in at once.`,
})

/** Gives the browser its new secret, and the page that it wanted. */
export function enter(c: ConsoleContext, cookie: SessionCookie, secret: string) {
  const wanted = cookie.takeWanted(c)
  cookie.hasCome(c)
  cookie.write(c, secret)
  c.set('secret', secret)
  return c.redirect(wanted, 303)
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
