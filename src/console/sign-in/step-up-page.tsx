import { ConsolePage } from '#console/shell/console-page.tsx'
import { ButtonForm, PasskeyForm, PostForm, SubmitButton } from '#console/shell/forms.tsx'
import { Callout } from '#console/shell/message.tsx'
import { LeadsCommand, useShell } from '#console/shell/shell.tsx'
import { type Permission, revealLimit } from '#domain/operator/permissions.ts'
import { PasswordField, SingleSignOnLink, type SingleSignOnProvider } from './credential-fields.tsx'
import styles from './sign-in-page.module.css'

export interface StepUpPageProps {
  hasPassword: boolean
  hasPasskey: boolean
  /** Whether a click confirms, as for the demo's admin. */
  isConfirmedByClick: boolean
  /** The single sign-on provider; undefined if the operator's account isn't linked to the provider. */
  provider?: SingleSignOnProvider | undefined
  /** The page to return to. */
  to: string
  /** The action that needs the confirmation; undefined if the operator comes from a {@link StepUpButton}. */
  action?: Permission | undefined
}

/** Asks the operator to authenticate again before an action that needs a recent sign-in. */
export function StepUpPage(props: StepUpPageProps) {
  const { hasPassword, hasPasskey, isConfirmedByClick, provider, to, action } = props
  const shell = useShell()
  const fields: Record<string, string> = { to, ...(action && { for: action }) }
  return (
    <ConsolePage name="Confirm it’s you" hasPasskeys={hasPasskey}>
      <div className={styles.narrow}>
        <p>{describeStepUpReason(action)}</p>
        {isConfirmedByClick && (
          <>
            <p>In demo mode, the demo’s admin needs no password.</p>
            <ButtonForm action="/confirm" button="Confirm" fields={fields} variant="primary" />
          </>
        )}
        {hasPassword && (
          <PostForm action="/confirm" aria-label="Confirm with your password" fields={fields}>
            <PasswordField />
            <SubmitButton variant="primary">Confirm</SubmitButton>
          </PostForm>
        )}
        {hasPasskey && (
          <PasskeyForm action="/confirm/passkey" button="Confirm with a passkey" fields={fields} />
        )}
        {provider && <SingleSignOnLink provider={provider} verb="Confirm" />}
        {!hasPassword && !hasPasskey && !isConfirmedByClick && provider === undefined && (
          <Callout kind="note" heading="You have neither a password nor a passkey">
            <p>
              Sign in with the link that this command prints, then add a passkey or a password under
              your account: <LeadsCommand verb={`sign-in-link ${shell.operator?.email ?? ''}`} />
            </p>
          </Callout>
        )}
        <p>
          <a href={to}>Go back without confirming</a>
        </p>
      </div>
    </ConsolePage>
  )
}

function describeStepUpReason(action: Permission | undefined): string {
  if (action === 'reveal a lead' || action === 'search for a person') {
    return `You have revealed or searched for ${revealLimit.most} people within an hour. Confirm it’s you to continue. Afterwards, select Reveal again, or repeat the search.`
  }
  const purpose = action === undefined ? 'To continue' : `To ${action}`
  return `${purpose}, confirm it’s you: your last sign-in was more than ten minutes ago. Nothing has been done yet. Afterwards you return to the page you came from.`
}
