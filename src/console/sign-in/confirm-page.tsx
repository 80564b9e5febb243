import { ConsolePage, type Shell } from '../shell/console-page.tsx'
import controls from '../shell/controls.module.css'
import { Notice } from '../shell/notice.tsx'
import { PasskeyForm } from '../shell/passkey-form.tsx'
import { PostForm } from '../shell/post-form.tsx'
import { PasswordField } from './password-field.tsx'
import styles from './sign-in-page.module.css'
import { SingleSignOnLink } from './single-sign-on-link.tsx'

export interface ConfirmPageProps {
  shell: Shell
  hasPassword: boolean
  hasPasskey: boolean
  /** By which they sign in, too, as operators call it. */
  provider?: string | undefined
  problem?: { readonly heading: string; readonly text?: string } | undefined
}

/** Before what cannot be undone, where the last sign-in is longer ago than ten minutes. */
export function ConfirmPage(props: ConfirmPageProps) {
  const { shell, hasPassword, hasPasskey, provider, problem } = props
  return (
    <ConsolePage shell={shell} name="Confirm that it is you" hasPasskeys={hasPasskey}>
      <div className={styles.narrow}>
        {problem && (
          <Notice kind="problem" heading={problem.heading}>
            {problem.text && <p>{problem.text}</p>}
          </Notice>
        )}
        <p>
          What you asked for needs a sign-in of the last ten minutes. Nothing was done yet:
          afterwards you are back on its page, and press once more.
        </p>
        {hasPassword && (
          <PostForm action="/confirm" aria-label="Once more" token={shell.token}>
            <PasswordField />
            <button className={controls.primary} type="submit">
              Confirm
            </button>
          </PostForm>
        )}
        {hasPasskey && (
          <PasskeyForm
            token={shell.token}
            action="/confirm/passkey"
            does="get"
            button="Confirm with a passkey"
          />
        )}
        {provider && <SingleSignOnLink href="/confirm/oidc" text={`Confirm with ${provider}`} />}
        {!hasPassword && !hasPasskey && provider === undefined && (
          <Notice kind="note" heading="You have neither password nor passkey">
            <p>
              A new link signs you in afresh, and you can set one then:{' '}
              <code>npm run leads -- sign-in-link {shell.operator?.email}</code>
            </p>
          </Notice>
        )}
      </div>
    </ConsolePage>
  )
}
