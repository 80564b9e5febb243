import { ConsolePage, type Shell } from '../shell/console-page.tsx'
import controls from '../shell/controls.module.css'
import { type Column, DataTable } from '../shell/data-table.tsx'
import { Moment } from '../shell/moment.tsx'
import type { Message } from '../shell/page-message.tsx'
import { PasskeyForm } from '../shell/passkey-form.tsx'
import { PostForm } from '../shell/post-form.tsx'
import { PasswordField } from '../sign-in/password-field.tsx'
import styles from '../sign-in/sign-in-page.module.css'
import { browserInWords } from './browser-in-words.ts'

export interface AccountPageProps {
  shell: Shell
  hasPassword: boolean
  passkeys: readonly { id: string; createdAt: number; usedAt: number | null }[]
  sessions: readonly SessionRow[]
  /** The one that looks at it. */
  sessionId: string
  message?: Message | undefined
}

interface SessionRow {
  readonly id: string
  readonly beganAt: number
  readonly seenAt: number
  readonly network: string
  readonly browser: string
}

/** How one signs in, and from where one is signed in. */
export function AccountPage(props: AccountPageProps) {
  const { shell, hasPassword, passkeys, sessions, sessionId, message } = props
  return (
    <ConsolePage shell={shell} name="Your account" hasPasskeys message={message}>
      <p>
        You are {shell.operator?.email}, {shell.operator?.role}.
      </p>
      <h2>Passkeys</h2>
      <DataTable
        name="Passkeys"
        columns={passkeyColumns(shell.token)}
        rows={passkeys}
        keyOf={({ id }) => id}
        empty="You have none. A passkey signs in with your device's own lock: nothing to remember, nothing to steal."
      />
      <PasskeyForm
        token={shell.token}
        action="/account/passkeys"
        does="create"
        button="Add a passkey"
      />
      <h2>Password</h2>
      <PostForm
        className={styles.narrow}
        action="/account/password"
        aria-label="A new one"
        token={shell.token}
      >
        <PasswordField isNew label="New password" error={message?.fields?.password} />
        <button className={controls.button} type="submit">
          {hasPassword ? 'Change the password' : 'Set a password'}
        </button>
      </PostForm>
      <h2>Signed in</h2>
      <DataTable
        name="Sessions"
        columns={sessionColumns(shell.token, sessionId)}
        rows={sessions}
        keyOf={({ id }) => id}
        empty="Nowhere."
      />
    </ConsolePage>
  )
}

const passkeyColumns = (token: string): Column<AccountPageProps['passkeys'][number]>[] => [
  { heading: 'Added', cell: ({ createdAt }) => <Moment at={createdAt} /> },
  {
    heading: 'Last used',
    cell: ({ usedAt }) => (usedAt === null ? 'never' : <Moment at={usedAt} />),
  },
  {
    heading: 'Act',
    isWhole: true,
    cell: ({ id, createdAt }) => (
      <PostForm
        action="/account/passkeys/remove"
        aria-label={`The passkey of ${new Date(createdAt).toISOString()}`}
        token={token}
      >
        <input type="hidden" name="id" value={id} />
        <button className={controls.danger} type="submit">
          Remove
        </button>
      </PostForm>
    ),
  },
]

const sessionColumns = (token: string, own: string): Column<SessionRow>[] => [
  { heading: 'Since', cell: ({ beganAt }) => <Moment at={beganAt} /> },
  { heading: 'Last seen', cell: ({ seenAt }) => <Moment at={seenAt} /> },
  { heading: 'From', cell: ({ network }) => network },
  {
    heading: 'With',
    isLong: true,
    cell: ({ browser }) => <span title={browser}>{browserInWords(browser)}</span>,
  },
  {
    heading: 'Act',
    isWhole: true,
    cell: ({ id, beganAt }) =>
      id === own ? (
        'this session'
      ) : (
        <PostForm
          action="/account/sessions/end"
          aria-label={`The session since ${new Date(beganAt).toISOString()}`}
          token={token}
        >
          <input type="hidden" name="id" value={id} />
          <button className={controls.button} type="submit">
            End
          </button>
        </PostForm>
      ),
  },
]
