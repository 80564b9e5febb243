import { Hono } from 'hono'
import {
  type ConsoleContext,
  type ConsoleEnv,
  type ConsoleServices,
  oidcCallbackPath,
} from '#console/console-services.ts'
import { readForm } from '#console/requests/read-form.ts'
import { findKnownBrowser } from '#console/security/known-browser.ts'
import { signInPath } from '#console/security/require-session.ts'
import { ConsolePage } from '#console/shell/console-page.tsx'
import { PasskeyForm, PostForm, SubmitButton } from '#console/shell/forms.tsx'
import { LeadsCommand, useFieldErrors } from '#console/shell/shell.tsx'
import { type Message, makeFieldMessage, makeProblemMessage } from '#domain/operator/messages.ts'
import { capitalize, pluralize } from '#domain/text/formats.ts'
import type { SingleSignOnSettings } from '#server/config/settings.ts'
import { describeOtherIssuer } from '#server/operators/openid-provider.ts'
import { makePasskeyRequestOptions, signInByPasskey } from '#server/operators/passkeys.ts'
import { endSession } from '#server/operators/sessions.ts'
import { signInByLink, signInByPassword } from '#server/operators/sign-in.ts'
import {
  type AuthorizationOutcome,
  type AuthorizationPurpose,
  finishAuthorization,
  type SingleSignOn,
  startAuthorization,
} from '#server/operators/single-sign-on.ts'
import { parseJson } from '#server/platform/call/http-call.ts'
import { toRequestHead } from '#server/platform/http/request-head.ts'
import { TextField } from '#ui/field.tsx'
import { PasswordField, SingleSignOnLink, type SingleSignOnProvider } from './credential-fields.tsx'
import styles from './sign-in-page.module.css'

const usedLink = makeProblemMessage(
  'This link has already been used or has expired',
  'Ask the person who gave you the link for a new link.',
)
/** This message names both fields, so that nobody learns whether an account exists. */
const wrongPassword = makeFieldMessage(
  { email: 'Check your email address.', password: 'Enter your password again.' },
  'Wrong email address or password',
)
const unknownPasskey = makeProblemMessage(
  'This passkey isn’t registered here',
  'Use another passkey, or your password.',
)

export function signInRoutes(services: ConsoleServices) {
  const { cookie, operators, singleSignOn } = services
  const show = (
    c: ConsoleContext,
    props: Omit<SignInPageProps, 'singleSignOn'> = {},
    problem?: Message,
    status: 200 | 403 | 429 = problem === undefined ? 200 : 403,
  ) => {
    const provider = singleSignOn && { name: singleSignOn.settings.name, href: '/sign-in/oidc' }
    return c.render(<SignInPage singleSignOn={provider} {...props} />, problem, status)
  }
  const byLink = async (c: ConsoleContext, code: string) => {
    const secret = await signInByLink(operators, code, c.get('source'))
    return secret === undefined ? show(c, {}, usedLink) : cookie.signIn(c, secret)
  }

  return new Hono<ConsoleEnv>()
    .get(signInPath, async (c) => {
      const code = c.req.query('code')
      if (code === undefined) {
        return c.get('session') === undefined ? show(c) : c.redirect('/', 303)
      }
      return isDirectVisit(c) ? byLink(c, code) : show(c, { code })
    })
    .post(signInPath, async (c) => {
      const { email, password } = await readForm(c, 'email', 'password')
      const given = { email, password, knownAs: await findKnownBrowser(services, c, email) }
      const outcome = await signInByPassword(operators, given, c.get('source'))
      if (outcome.kind === 'signed in') return cookie.signIn(c, outcome.secret)
      if (outcome.kind === 'wrong') return show(c, { email }, wrongPassword)
      c.header('Retry-After', String(outcome.seconds))
      const wait = pluralize(outcome.seconds, 'second')
      const problem = makeProblemMessage(
        `Too many attempts. Wait ${wait}, then try again. A passkey works without waiting.`,
      )
      return show(c, { email }, problem, 429)
    })
    .post(`${signInPath}/link`, async (c) => byLink(c, (await readForm(c, 'code')).code))
    .post(`${signInPath}/passkey/options`, async (c) =>
      c.json(await makePasskeyRequestOptions(operators, c.get('secret'))),
    )
    .post(`${signInPath}/passkey`, async (c) => {
      const answer = parseJson((await readForm(c, 'answer')).answer)
      const secret = await signInByPasskey(operators, answer, c.get('secret'), c.get('source'))
      return secret === undefined ? show(c, {}, unknownPasskey) : cookie.signIn(c, secret)
    })
}

export const makeSignOutHandler = ({ cookie, operators }: ConsoleServices) =>
  new Hono<ConsoleEnv>().post('/sign-out', async (c) => {
    const session = c.get('session')
    if (session !== undefined) {
      const { db, audit, clock } = operators
      await endSession(db, session.id, session.operator.id)
      await audit.record(c.get('actor'), { action: 'signed out' }, clock())
    }
    cookie.signOut(c)
    // The header tells the browser to delete its copies of the console's pages.
    c.header('Clear-Site-Data', '"cache", "storage"')
    return c.redirect(signInPath, 303)
  })

/**
 * Whether the operator opened the link from a terminal, the address bar or a page of the console. From elsewhere, the
 * operator must press a button, because a prefetch would use up the link, and another site could sign visitors in.
 */
function isDirectVisit(c: ConsoleContext): boolean {
  const { header } = toRequestHead(c)
  if (c.req.method !== 'GET' || header('sec-purpose') !== undefined) return false
  const site = header('sec-fetch-site')
  return site === undefined || site === 'none' || site === 'same-origin'
}

interface SignInPageProps {
  singleSignOn?: SingleSignOnProvider | undefined
  /** The email address as the operator typed it. */
  email?: string | undefined
  /** The code of a sign-in link. The page shows a button first, because another site may have opened the link. */
  code?: string | undefined
}

export function SignInPage(props: SignInPageProps) {
  const { code } = props
  return (
    <ConsolePage name="Sign in" hasPasskeys={code === undefined}>
      <div className={styles.narrow}>
        {code === undefined ? (
          <SignInMethods {...props} />
        ) : (
          <PostForm action="/sign-in/link" aria-label="Sign in with a link" fields={{ code }}>
            <p>This link signs you in once.</p>
            <SubmitButton variant="primary">Sign in</SubmitButton>
          </PostForm>
        )}
      </div>
    </ConsolePage>
  )
}

function SignInMethods({ email = '', singleSignOn }: SignInPageProps) {
  return (
    <>
      {singleSignOn && (
        <>
          {/* Single sign-on comes first, because operators who have it use it every day. */}
          <SingleSignOnLink provider={singleSignOn} verb="Sign in" />
          <p className={styles.or}>or</p>
        </>
      )}
      <PostForm action="/sign-in" aria-label="Sign in with a password">
        <TextField
          name="email"
          label="Email"
          type="email"
          autoComplete="email"
          error={useFieldErrors().email}
          value={email}
        />
        <PasswordField />
        <SubmitButton variant="primary">Sign in</SubmitButton>
      </PostForm>
      <PasskeyForm action="/sign-in/passkey" button="Sign in with a passkey" />
      <details className={styles.help}>
        <summary>Lost your password or passkey?</summary>
        <p>
          Ask an admin to invite you again on the Operators page, or the server’s administrator for
          a sign-in link: <LeadsCommand verb="sign-in-link <your email>" />
        </p>
      </details>
    </>
  )
}

const signOnPath = '/sign-in/oidc'
const ticketCookie = 'console-ticket'

/** The path for operators who have to authenticate again at the single sign-on provider. */
export const reauthenticationPath = `${signOnPath}?login=again`

type SingleSignOnServices = ConsoleServices & { readonly singleSignOn: SingleSignOn }

/**
 * Routes that redirect to the single sign-on provider and handle the return from the provider. Pages use links to these
 * routes, because the content security policy forbids forms that lead to the provider.
 */
export function singleSignOnRoutes(services: SingleSignOnServices) {
  const { operators, cookie, singleSignOn } = services
  return new Hono<ConsoleEnv>()
    .get(signOnPath, async (c) => {
      // A prefetch must not start a sign-in at the provider.
      if (c.req.header('sec-purpose') !== undefined) return c.redirect(signInPath, 303)
      const { login, to } = c.req.query()
      const purpose: AuthorizationPurpose =
        login === 'again'
          ? login
          : login === 'another' || cookie.hasSignedOut(c)
            ? 'another'
            : 'sign-in'
      const request = { browserSecret: c.get('secret'), purpose }
      const authorization = await startAuthorization(operators, singleSignOn, request)
      if ('kind' in authorization) return showSignInFailure(services, c, authorization)
      if (to !== undefined) cookie.keepReturnPath(c, to)
      cookie.write(c, ticketCookie, authorization.ticket, 600)
      return c.redirect(authorization.address, 303)
    })
    .get(oidcCallbackPath, async (c) => {
      const session = c.get('session')
      const query = new URL(c.req.url).search
      const answer = { query, ticket: cookie.take(c, ticketCookie), browserSecret: c.get('secret') }
      const outcome = await finishAuthorization(operators, singleSignOn, answer, c.get('source'))
      if (outcome.kind === 'signed in') {
        if (session !== undefined) await endSession(operators.db, session.id, session.operator.id)
        return cookie.signIn(c, outcome.secret)
      }
      // An operator who reloads the callback page is already signed in.
      if (outcome.kind === 'stale' && session !== undefined) return c.redirect('/', 303)
      return showSignInFailure(services, c, outcome)
    })
}

function showSignInFailure(
  { singleSignOn }: SingleSignOnServices,
  c: ConsoleContext,
  outcome: SignInFailure,
) {
  const { settings } = singleSignOn
  const problem = makeProblemMessage(...describeSignInFailure(outcome, settings))
  // The person may have another account at the provider.
  const provider = { name: settings.name, href: `${signOnPath}?login=another` }
  const page = <SignInPage singleSignOn={provider} />
  const isUnusable = outcome.kind === 'unreachable' || outcome.kind === 'other issuer'
  return c.render(page, problem, isUnusable ? 503 : 403)
}

type SignInFailure = Exclude<AuthorizationOutcome, { kind: 'signed in' }>

function describeSignInFailure(
  outcome: SignInFailure,
  { name, verifiedClaim, roles: { claim, meaning } }: SingleSignOnSettings,
): readonly [heading: string, text: string] {
  const capitalName = capitalize(name)
  const roleNames = Object.values(meaning).flat().join(', ')
  const code = outcome.kind === 'refused' ? outcome.code : ''
  const issuer = outcome.kind === 'other issuer' ? outcome.issuer : ''
  const texts: Readonly<Record<SignInFailure['kind'], readonly [heading: string, text: string]>> = {
    'no role': [
      'You have no role on this console',
      `${capitalName} knows you, but its claim “${claim}” gives you none of these roles: ${roleNames}. Ask the provider’s administrator for a role, then sign in again.`,
    ],
    disabled: [
      'Your account is disabled',
      `An admin of this console can enable it on the Operators page. ${capitalName} can’t.`,
    ],
    'no email': [
      'Your email address is not verified',
      `The first sign-in needs an email address that ${name} has verified (its claim “${verifiedClaim}”). Verify your email address there, or ask the provider’s administrator.`,
    ],
    taken: [
      'Your email address belongs to another operator here',
      `The operator with this address signs in with another account of ${name}. If that account is yours, the server’s administrator can unlink it with the command “operators unlink <email>”.`,
    ],
    'not confirmed': [
      'That didn’t confirm it’s you',
      `${capitalName} doesn’t say that you have just signed in there. Use a passkey or a password instead. If you have neither, sign in with a sign-in link and add one under your account.`,
    ],
    stale: [
      'That sign-in has expired',
      'The sign-in began in another browser or more than ten minutes ago, or is already complete. Start again.',
    ],
    refused: [
      `${capitalName} did not sign you in`,
      `Try again. If it happens again, tell the server’s administrator the code in the log: ${code}.`,
    ],
    'other issuer': [
      `${capitalName} is not set up correctly`,
      `${describeOtherIssuer(issuer)}. Passkeys and passwords work meanwhile.`,
    ],
    unreachable: [
      `${capitalName} can’t be reached at the moment`,
      'The console tries again each time you try to sign in. Passkeys and passwords work meanwhile.',
    ],
  }
  return texts[outcome.kind]
}
