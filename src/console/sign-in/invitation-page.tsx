import { ConsolePage, type Shell } from '../shell/console-page.tsx'
import controls from '../shell/controls.module.css'
import { Notice } from '../shell/notice.tsx'
import { PasskeyForm } from '../shell/passkey-form.tsx'
import { PostForm } from '../shell/post-form.tsx'
import { PasswordField } from './password-field.tsx'
import styles from './sign-in-page.module.css'

export interface InvitationPageProps {
  shell: Shell
  /** Undefined where the invitation is spent, too old, or was none. */
  email: string | undefined
  code: string
  /** What is wrong with the password. */
  fault?: string | undefined
}

/** Looking at it spends nothing: mail programs look at links before people do. */
export function InvitationPage({ shell, email, code, fault }: InvitationPageProps) {
  return (
    <ConsolePage shell={shell} name="Your invitation" hasPasskeys={email !== undefined}>
      <div className={styles.narrow}>
        {email === undefined ? (
          <Notice kind="problem" heading="This invitation was used already, or is too old">
            <p>
              It is good once, for a day. Ask who sent it for another one, or{' '}
              <a href="/sign-in">sign in</a>.
            </p>
          </Notice>
        ) : (
          <>
            <p>
              You are <strong>{email}</strong>. Choose how you will sign in from now on.
            </p>
            <PasskeyForm
              token={shell.token}
              action="/sign-in/invitation/passkey"
              does="create"
              button="With a passkey"
              fields={{ code }}
            />
            <PostForm action="/sign-in/invitation" aria-label="What you choose" token={shell.token}>
              <input type="hidden" name="code" value={code} />
              {/* So that the browser keeps the password with the account. */}
              <input
                type="email"
                name="email"
                autoComplete="username"
                value={email}
                readOnly
                hidden
              />
              <PasswordField isNew error={fault} />
              <button className={controls.primary} type="submit">
                Set the password and sign in
              </button>
            </PostForm>
          </>
        )}
      </div>
    </ConsolePage>
  )
}
