import { revealPace } from '#domain/operator/reveal-pace.ts'
import type { Action } from '#domain/operator/rights.ts'
import { ConsolePage, type Shell } from '../shell/console-page.tsx'
import controls from '../shell/controls.module.css'
import { LeadsCommand } from '../shell/leads-command.tsx'
import { Notice } from '../shell/notice.tsx'
import type { Message } from '../shell/page-message.tsx'
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
  /** What was posted, and is kept meanwhile. */
  kept?: { readonly id: string; readonly action: string; readonly page: string } | undefined
  /** A search for a person was refused at the limit; its text was not kept. */
  isForSearch?: boolean
  /** It was shown since that it is they. */
  isConfirmed?: boolean
  problem?: Message | undefined
}

/** Before what cannot be undone, where the last sign-in is longer ago than ten minutes. */
export function ConfirmPage(props: ConfirmPageProps) {
  const {
    shell,
    hasPassword,
    hasPasskey,
    provider,
    kept,
    isForSearch,
    isConfirmed = false,
    problem,
  } = props
  if (kept && isConfirmed) return <GoOn shell={shell} {...kept} />
  const fields: Record<string, string> = kept ? { kept: kept.id } : {}
  return (
    <ConsolePage
      shell={shell}
      name="Confirm that it is you"
      hasPasskeys={hasPasskey}
      message={problem}
    >
      <div className={styles.narrow}>
        <p>
          {whyAsked(isForSearch ? 'search for a person' : kept?.action)} Nothing was done yet:{' '}
          {whatFollows({ isKept: kept !== undefined, isForSearch })}
        </p>
        {hasPassword && (
          <PostForm
            action={isForSearch ? '/confirm?for=search' : '/confirm'}
            aria-label="Once more"
            token={shell.token}
          >
            {kept && <input type="hidden" name="kept" value={kept.id} />}
            <PasswordField error={problem?.fields?.password} />
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
            fields={fields}
          />
        )}
        {provider && (
          <SingleSignOnLink
            href={kept ? `/confirm/oidc?kept=${kept.id}` : '/confirm/oidc'}
            text={`Confirm with ${provider}`}
          />
        )}
        {!hasPassword && !hasPasskey && provider === undefined && (
          <Notice kind="note" heading="You have neither password nor passkey">
            <p>
              A new link signs you in afresh, and you can set one then:{' '}
              <LeadsCommand verb={`sign-in-link ${shell.operator?.email ?? ''}`} />
            </p>
          </Notice>
        )}
      </div>
    </ConsolePage>
  )
}

function whyAsked(action: string | undefined): string {
  if (isOneOf(['reveal a lead', 'search for a person'], action)) {
    return `You have revealed or searched for ${revealPace.most} people within an hour. To go on, show that it is you.`
  }
  const what = action === undefined ? 'What you asked for' : `To ${action}`
  return `${what} needs a sign-in of the last ten minutes.`
}

const isOneOf = (actions: readonly Action[], action: string | undefined): boolean =>
  actions.some((one) => one === action)

function whatFollows({
  isKept,
  isForSearch,
}: Pick<ConfirmPageProps, 'isForSearch'> & { isKept: boolean }): string {
  if (isForSearch) {
    return 'the console doesn’t keep what you typed, so type it again once you have confirmed.'
  }
  return isKept
    ? 'what you sent is kept for ten minutes, and is done once you have confirmed.'
    : 'afterwards you are back on its page, and press once more.'
}

/** They come back from the provider by a link, which does nothing by itself. */
const GoOn = ({
  shell,
  id,
  action,
  page,
}: { shell: Shell } & NonNullable<ConfirmPageProps['kept']>) => (
  <ConsolePage shell={shell} name="Confirm that it is you">
    <div className={styles.narrow}>
      <p>It is you. What you sent stands ready, and was not done yet: to {action}.</p>
      <PostForm action="/confirm/go-on" aria-label="What you sent" token={shell.token}>
        <input type="hidden" name="kept" value={id} />
        <button className={controls.primary} type="submit">
          Go on
        </button>
      </PostForm>
      <p>
        <a href={page}>Back without doing it</a>
      </p>
    </div>
  </ConsolePage>
)
