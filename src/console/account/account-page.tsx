import { ConfirmPage } from '#console/shell/confirm-page.tsx'
import { ConsolePage } from '#console/shell/console-page.tsx'
import { type Column, DataTable } from '#console/shell/data-table.tsx'
import {
  ButtonForm,
  PasskeyForm,
  PostForm,
  StepUpButton,
  SubmitButton,
} from '#console/shell/forms.tsx'
import { useNeedsStepUp, useShell } from '#console/shell/shell.tsx'
import { Timestamp } from '#console/shell/times.tsx'
import { PasswordField } from '#console/sign-in/credential-fields.tsx'
import styles from '#console/sign-in/sign-in-page.module.css'
import { describeBrowser } from './describe-browser.ts'

export interface AccountPageProps {
  hasPassword: boolean
  passkeys: readonly Passkey[]
  sessions: readonly SessionRow[]
  /** The id of the session that this browser uses. */
  sessionId: string
}

interface Passkey {
  readonly id: string
  readonly createdAt: number
  readonly usedAt: number | null
}

interface SessionRow {
  readonly id: string
  readonly beganAt: number
  readonly seenAt: number
  readonly network: string
  readonly browser: string
}

export function AccountPage(props: AccountPageProps) {
  const { hasPassword, passkeys, sessions, sessionId } = props
  const needsStepUp = useNeedsStepUp()
  const shell = useShell()
  return (
    <ConsolePage name="Your account" hasPasskeys>
      <p>
        You are {shell.operator?.email}, {shell.operator?.role}.
      </p>
      {needsStepUp && (
        <>
          <p>To change your passkeys or your password, confirm it’s you first.</p>
          <StepUpButton button="Confirm it’s you" />
        </>
      )}
      <h2>Passkeys</h2>
      <DataTable
        name="Passkeys"
        columns={makePasskeyColumns(needsStepUp)}
        rows={passkeys}
        empty="You have no passkeys. A passkey signs you in with your device’s screen lock, so there is no password to remember or steal."
      />
      {!needsStepUp && <PasskeyForm action="/account/passkeys" isNew button="Add a passkey" />}
      <h2>Password</h2>
      {!needsStepUp ? (
        <PostForm className={styles.narrow} action="/account/password" aria-label="Your password">
          <PasswordField isNew label="New password" />
          <SubmitButton>{hasPassword ? 'Change password' : 'Set password'}</SubmitButton>
        </PostForm>
      ) : (
        <p>{hasPassword ? 'You have a password.' : 'You have no password.'}</p>
      )}
      <h2>Sessions</h2>
      <DataTable
        name="Sessions"
        columns={makeSessionColumns(sessionId)}
        rows={sessions}
        empty="No open sessions."
      />
    </ConsolePage>
  )
}

interface RemovePasskeyPageProps {
  passkey: Passkey
  /** Whether the operator has a password, a single sign-on provider or another passkey. */
  hasOtherWay: boolean
}

/** Asks the operator to confirm the removal of a passkey. */
export const RemovePasskeyPage = ({ passkey, hasOtherWay }: RemovePasskeyPageProps) => (
  <ConfirmPage
    name="Remove this passkey"
    warning={
      <p>
        You can’t sign in with this passkey any more, your other sessions end, and unused sign-in
        links to your account no longer work.
        {!hasOtherWay &&
          ' You have no password and no other passkey: without a new one, only another admin can let you in again.'}
      </p>
    }
    action="/account/passkeys/remove"
    fields={{ id: passkey.id }}
    button="Remove the passkey"
    back="/account"
  >
    <p>
      You added this passkey <Timestamp at={passkey.createdAt} />, and{' '}
      {passkey.usedAt === null ? (
        'have never used it.'
      ) : (
        <>
          used it last <Timestamp at={passkey.usedAt} />.
        </>
      )}
    </p>
  </ConfirmPage>
)

const makePasskeyColumns = (needsStepUp: boolean): Column<Passkey>[] => [
  { heading: 'Added', cell: ({ createdAt }) => <Timestamp at={createdAt} /> },
  {
    heading: 'Last used',
    cell: ({ usedAt }) => (usedAt === null ? 'never' : <Timestamp at={usedAt} />),
  },
  {
    heading: 'Actions',
    isOneLine: true,
    cell: ({ id, createdAt }) =>
      !needsStepUp && (
        <ButtonForm
          method="get"
          action="/account/passkeys/remove"
          button="Remove"
          name={`The passkey of ${new Date(createdAt).toISOString()}`}
          fields={{ id }}
          variant="danger"
        />
      ),
  },
]

const makeSessionColumns = (ownId: string): Column<SessionRow>[] => [
  { heading: 'Since', cell: ({ beganAt }) => <Timestamp at={beganAt} /> },
  { heading: 'Last seen', cell: ({ seenAt }) => <Timestamp at={seenAt} /> },
  { heading: 'Network', cell: ({ network }) => network },
  {
    heading: 'Browser',
    isWide: true,
    cell: ({ browser }) => <span title={browser}>{describeBrowser(browser)}</span>,
  },
  {
    heading: 'Actions',
    isOneLine: true,
    cell: ({ id, beganAt }) =>
      id === ownId ? (
        'This session'
      ) : (
        <ButtonForm
          action="/account/sessions/end"
          button="End"
          name={`The session since ${new Date(beganAt).toISOString()}`}
          fields={{ id }}
        />
      ),
  },
]
