import { ConsolePage } from '#console/shell/console-page.tsx'
import { PasskeyForm, PostForm, SubmitButton } from '#console/shell/forms.tsx'
import { PasswordField } from './credential-fields.tsx'
import styles from './sign-in-page.module.css'

export interface InvitationPageProps {
  /** The email address of the invited operator; undefined if the invitation is no longer valid. */
  email: string | undefined
  code: string
}

/** Opening an invitation doesn't use it up, because mail programs open links before people do. */
export function InvitationPage({ email, code }: InvitationPageProps) {
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
