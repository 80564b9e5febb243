import { Hono } from 'hono'
import type { ConsoleContext, ConsoleEnv, ConsoleServices } from '#console/console-services.ts'
import { readForm } from '#console/requests/read-form.ts'
import { findKnownBrowser } from '#console/security/known-browsers.ts'
import { signInPath } from '#console/security/require-session.ts'
import { ConsolePage } from '#console/shell/console-page.tsx'
import { PasskeyForm, PostForm, SubmitButton } from '#console/shell/forms.tsx'
import { LeadsCommand, useFieldErrors } from '#console/shell/shell.tsx'
import { type Message, makeFieldMessage, makeProblemMessage } from '#domain/operator/messages.ts'
import { pluralize } from '#domain/text/formats.ts'
import { makePasskeyRequestOptions, signInByPasskey } from '#server/operators/passkeys.ts'
import { endSession } from '#server/operators/sessions.ts'
import { signInByLink, signInByPassword } from '#server/operators/sign-in.ts'
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
