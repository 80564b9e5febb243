import { TextField } from '#ui/field.tsx'
import { ConsolePage, type ConsoleShell, LeadsCommand } from '../shell/console-page.tsx'
import { PasskeyForm, PostForm, SubmitButton } from '../shell/forms.tsx'
import type { Message } from '../shell/message.tsx'
import { PasswordField, SingleSignOnLink } from './credential-fields.tsx'
import styles from './sign-in-page.module.css'

export interface SignInPageProps {
  shell: ConsoleShell
  problem?: Message | undefined
  /** The single sign-on provider, and its link. */
  singleSignOn?: ShownProvider | undefined
  /** The email address as the operator typed it. */
  email?: string | undefined
  /** A sign-in link's code. Operators press a button to use the link, because another site may have sent it. */
  code?: string | undefined
}

interface ShownProvider {
  readonly name: string
  readonly href: string
}

export function SignInPage(props: SignInPageProps) {
  const { shell, problem, email = '', code, singleSignOn } = props
  return (
    <ConsolePage shell={shell} name="Sign in" hasPasskeys={code === undefined} message={problem}>
      <div className={styles.narrow}>
        {code === undefined ? (
          <SignInMethods
            shell={shell}
            email={email}
            errors={problem?.fields}
            provider={singleSignOn}
          />
        ) : (
          <PostForm
            action="/sign-in/link"
            aria-label="Sign in with a link"
            token={shell.token}
            fields={{ code }}
          >
            <p>This link signs you in once.</p>
            <SubmitButton look="primary">Sign in</SubmitButton>
          </PostForm>
        )}
      </div>
    </ConsolePage>
  )
}

interface SignInMethodsProps {
  shell: ConsoleShell
  email: string
  errors: Message['fields']
  provider: ShownProvider | undefined
}

function SignInMethods({ shell, email, errors, provider }: SignInMethodsProps) {
  return (
    <>
      {provider && (
        <>
          {/* Single sign-on comes first, because operators who have it use it every day. */}
          <SingleSignOnLink href={provider.href} text={`Sign in with ${provider.name}`} />
          <p className={styles.or}>or</p>
        </>
      )}
      <PostForm action="/sign-in" aria-label="Sign in with a password" token={shell.token}>
        <TextField
          name="email"
          label="Email"
          type="email"
          autoComplete="email"
          error={errors?.email}
          value={email}
        />
        <PasswordField error={errors?.password} />
        <SubmitButton look="primary">Sign in</SubmitButton>
      </PostForm>
      <PasskeyForm
        token={shell.token}
        action="/sign-in/passkey"
        does="get"
        button="Sign in with a passkey"
      />
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
