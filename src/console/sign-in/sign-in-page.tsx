import { ConsolePage } from '#console/shell/console-page.tsx'
import { PasskeyForm, PostForm, SubmitButton } from '#console/shell/forms.tsx'
import { LeadsCommand, useFieldErrors } from '#console/shell/shell.tsx'
import { TextField } from '#ui/field.tsx'
import { PasswordField, SingleSignOnLink, type SingleSignOnProvider } from './credential-fields.tsx'
import styles from './sign-in-page.module.css'

export interface SignInPageProps {
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
