import { Hono } from 'hono'
import { makePasswordError } from '#console/account/account-page.tsx'
import type { ConsoleContext, ConsoleEnv, ConsoleServices } from '#console/console-services.ts'
import { readForm } from '#console/requests/read-form.ts'
import { ConsolePage } from '#console/shell/console-page.tsx'
import { PasskeyForm, PostForm, SubmitButton } from '#console/shell/forms.tsx'
import { type Message, makeProblemMessage } from '#domain/operator/messages.ts'
import { findOneTimeLink } from '#server/operators/one-time-links.ts'
import { makeInvitationPasskeyOptions, makePasskeyCredential } from '#server/operators/passkeys.ts'
import { makePasswordCredential } from '#server/operators/passwords.ts'
import { acceptInvitation, type CredentialMaker } from '#server/operators/sign-in.ts'
import { parseJson } from '#server/platform/call/http-call.ts'
import { PasswordField } from './credential-fields.tsx'
import styles from './sign-in-page.module.css'

export const invitationPath = '/sign-in/invitation'

const usedInvitation = makeProblemMessage(
  'This invitation has already been used or has expired',
  'An invitation works once, for 24 hours. Ask the sender for a new invitation, or sign in.',
)

/** Routes that let an invited operator choose how to sign in. */
export function invitationRoutes({ cookie, operators }: ConsoleServices) {
  const show = async (c: ConsoleContext, code: string, problem?: Message) => {
    const { db, clock } = operators
    const email = (await findOneTimeLink(db, code, 'invitation', clock()))?.email
    const page = <InvitationPage email={email} code={code} />
    return email === undefined ? c.render(page, usedInvitation, 403) : c.render(page, problem)
  }
  const accept = async (
    c: ConsoleContext,
    code: string,
    make: CredentialMaker,
    makeMessage: (fault: string) => Message,
  ) => {
    const outcome = await acceptInvitation(operators, code, make, c.get('source'))
    if (outcome.kind === 'signed in') return cookie.signIn(c, outcome.secret)
    return show(c, code, outcome.kind === 'fault' ? makeMessage(outcome.fault) : undefined)
  }

  return new Hono<ConsoleEnv>()
    .get(invitationPath, (c) => show(c, c.req.query('code') ?? ''))
    .post(invitationPath, async (c) => {
      const { code, password } = await readForm(c, 'code', 'password')
      return accept(c, code, makePasswordCredential(password), makePasswordError)
    })
    .post(`${invitationPath}/passkey/options`, async (c) => {
      const { code } = await readForm(c, 'code')
      const options = await makeInvitationPasskeyOptions(operators, code, c.get('secret'))
      return options === undefined ? c.json({}, 403) : c.json(options)
    })
    .post(`${invitationPath}/passkey`, async (c) => {
      const form = await readForm(c, 'code', 'answer')
      const passkey = makePasskeyCredential(operators, parseJson(form.answer), c.get('secret'))
      return accept(c, form.code, passkey, makeProblemMessage)
    })
}

/** Opening an invitation doesn't use it up, because mail programs open links before people do. */
function InvitationPage({ email, code }: { email: string | undefined; code: string }) {
  return (
    <ConsolePage name="Your invitation" hasPasskeys={email !== undefined}>
      <div className={styles.narrow}>
        {email === undefined ? (
          <p>
            <a href="/sign-in">Sign in</a>
          </p>
        ) : (
          <>
            <p>
              You are <strong>{email}</strong>. Choose how you will sign in from now on.
            </p>
            <PasskeyForm
              action="/sign-in/invitation/passkey"
              isNew
              button="Use a passkey"
              fields={{ code }}
            />
            <PostForm action="/sign-in/invitation" aria-label="Set a password" fields={{ code }}>
              {/* With this field, the browser saves the password together with the email address. */}
              <input
                type="email"
                name="email"
                autoComplete="username"
                value={email}
                readOnly
                hidden
              />
              <PasswordField isNew />
              <SubmitButton variant="primary">Set password and sign in</SubmitButton>
            </PostForm>
          </>
        )}
      </div>
    </ConsolePage>
  )
}
