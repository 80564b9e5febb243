import { TextField } from '#ui/text-field.tsx'
import { ConsolePage, LeadsCommand, type Shell } from '../shell/console-page.tsx'
import controls from '../shell/controls.module.css'
import { PasskeyForm, PostForm } from '../shell/forms.tsx'
import type { Message } from '../shell/message.tsx'
import { Notice } from '../shell/message.tsx'
import { PasswordField } from './password-field.tsx'
import styles from './sign-in-page.module.css'
import { SingleSignOnLink } from './single-sign-on-link.tsx'

export interface SignInPageProps {
  shell: Shell
  problem?: Message | undefined
  /** Another way in: how operators call its provider, and words where that is away. */
  singleSignOn?: ShownProvider | undefined
  /** What was typed. */
  email?: string | undefined
  /** A link's, which another site may have led to: it is spent by a press. */
  code?: string | undefined
}

interface ShownProvider {
  readonly name: string
  readonly away?: readonly [heading: string, text: string] | undefined
}

export function SignInPage(props: SignInPageProps) {
  const { shell, problem, email = '', code, singleSignOn } = props
  return (
    <ConsolePage shell={shell} name="Sign in" hasPasskeys={code === undefined} message={problem}>
      <div className={styles.narrow}>
        {code === undefined ? (
          <Ways shell={shell} email={email} errors={problem?.fields} provider={singleSignOn} />
        ) : (
          <PostForm action="/sign-in/link" aria-label="By link" token={shell.token}>
            <input type="hidden" name="code" value={code} />
            <p>This link signs you in, once.</p>
            <button className={controls.primary} type="submit">
              Sign in
            </button>
          </PostForm>
        )}
      </div>
    </ConsolePage>
  )
}

interface WaysProps {
  shell: Shell
  email: string
  errors: Message['fields']
  provider: ShownProvider | undefined
}

function Ways({ shell, email, errors, provider }: WaysProps) {
  return (
    <>
      {provider && <BySignOn {...provider} />}
      <PostForm action="/sign-in" aria-label="Who you are" token={shell.token}>
        <TextField
          name="email"
          label="Email"
          type="email"
          autoComplete="email"
          error={errors?.email}
          value={email}
        />
        <PasswordField error={errors?.password} />
        <button className={controls.primary} type="submit">
          Sign in
        </button>
      </PostForm>
      <PasskeyForm
        token={shell.token}
        action="/sign-in/passkey"
        does="get"
        button="Sign in with a passkey"
      />
      <details className={styles.help}>
        <summary>I have neither any more</summary>
        <p>
          Another admin can invite you once more, on the page Operators. Whoever keeps the server
          can make a link that signs in once: <LeadsCommand verb="sign-in-link <your email>" />
        </p>
      </details>
    </>
  )
}

/** First, as who has it uses it every day. */
const BySignOn = ({ name, away }: ShownProvider) => (
  <>
    {away && (
      <Notice kind="note" heading={away[0]}>
        <p>{away[1]}</p>
      </Notice>
    )}
    <SingleSignOnLink href="/sign-in/oidc" text={`Sign in with ${name}`} />
    <p className={styles.or}>or</p>
  </>
)
