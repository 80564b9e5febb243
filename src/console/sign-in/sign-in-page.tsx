import { ConsolePage, type Shell } from '../shell/console-page.tsx'
import controls from '../shell/controls.module.css'
import { Notice } from '../shell/notice.tsx'
import { TokenField } from '../shell/token-field.tsx'
import styles from './sign-in-page.module.css'

export interface SignInPageProps {
  shell: Shell
  /** Why it is shown once more. */
  problem?: string | undefined
  /** A link's, which another site may have led to: it is spent by a press. */
  code?: string | undefined
}

export function SignInPage({ shell, problem, code }: SignInPageProps) {
  return (
    <ConsolePage shell={shell} name="Sign in">
      <div className={styles.narrow}>
        {problem !== undefined && <Notice kind="problem" heading={problem} />}
        {code === undefined ? (
          <p>
            An operator’s link signs in once. Whoever keeps the server makes one:{' '}
            <code>npm run leads -- sign-in-link your@email</code>
          </p>
        ) : (
          <form method="post" action="/sign-in/link">
            <TokenField token={shell.token} />
            <input type="hidden" name="code" value={code} />
            <p>This link signs you in, once.</p>
            <button className={controls.primary} type="submit">
              Sign in
            </button>
          </form>
        )}
      </div>
    </ConsolePage>
  )
}
