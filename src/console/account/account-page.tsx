import { Hono } from 'hono'
import type { ConsoleContext, ConsoleEnv, ConsoleServices } from '#console/console-services.ts'
import { readForm } from '#console/requests/read-form.ts'
import { ConsolePage } from '#console/shell/console-page.tsx'
import { type Column, DataTable } from '#console/shell/data-table.tsx'
import { ConfirmPage } from '#console/shell/edit-form.tsx'
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
import {
  type Message,
  makeFieldMessage,
  makeProblemMessage,
  makeSuccessMessage,
} from '#domain/operator/messages.ts'
import { authorize } from '#server/operators/authorize.ts'
import { makeNewPasskeyOptions, makePasskeyCredential } from '#server/operators/passkeys.ts'
import { makePasswordCredential } from '#server/operators/passwords.ts'
import {
  addOwnCredential,
  endOwnSession,
  readOwnAccount,
  removeOwnPasskey,
} from '#server/operators/sign-in.ts'
import { parseJson } from '#server/platform/call/http-call.ts'

const otherSessionsEnded =
  'Your other sessions have ended, and unused sign-in links to your account no longer work.'

export function accountRoutes({ operators }: ConsoleServices) {
  const show = async (c: ConsoleContext, message?: Message) => {
    const own = await readOwnAccount(operators, c.get('actor'))
    const { sessionId } = c.get('ownSession')
    return c.render(<AccountPage own={own} sessionId={sessionId} />, message)
  }
  return new Hono<ConsoleEnv>()
    .get('/account', (c) => show(c))
    .post('/account/password', async (c) => {
      const password = makePasswordCredential((await readForm(c, 'password')).password)
      const fault = await addOwnCredential(operators, c.get('ownSession'), password)
      return fault === undefined
        ? show(c, makeSuccessMessage(`Password set. ${otherSessionsEnded}`))
        : show(c, makePasswordError(fault))
    })
    .post('/account/passkeys/options', async (c) =>
      c.json(await makeNewPasskeyOptions(operators, c.get('actor'), c.get('secret'))),
    )
    .post('/account/passkeys', async (c) => {
      const answer = parseJson((await readForm(c, 'answer')).answer)
      const passkey = makePasskeyCredential(operators, answer, c.get('secret'))
      const fault = await addOwnCredential(operators, c.get('ownSession'), passkey)
      return show(
        c,
        fault === undefined ? makeSuccessMessage('Passkey added.') : makeProblemMessage(fault),
      )
    })
    .get('/account/passkeys/remove', async (c) => {
      authorize(c.get('actor'), 'change your sign-in', operators.clock())
      const own = await readOwnAccount(operators, c.get('actor'))
      const passkey = own.passkeys.find(({ id }) => id === c.req.query('id'))
      if (passkey === undefined) return c.redirect('/account', 303)
      const hasOtherWay = own.hasPassword || own.issuers.length > 0 || own.passkeys.length > 1
      return c.render(
        <ConfirmPage
          name="Remove this passkey"
          warning={
            <p>
              You can no longer sign in with this passkey, your other sessions end, and unused
              sign-in links to your account no longer work.
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
        </ConfirmPage>,
      )
    })
    .post('/account/passkeys/remove', async (c) => {
      const { id } = await readForm(c, 'id')
      return (await removeOwnPasskey(operators, c.get('ownSession'), id))
        ? show(c, makeSuccessMessage(`Passkey removed. ${otherSessionsEnded}`))
        : show(c, makeProblemMessage('You don’t have this passkey. Nothing was removed.'))
    })
    .post('/account/sessions/end', async (c) => {
      const { id } = await readForm(c, 'id')
      return (await endOwnSession(operators, c.get('actor'), id))
        ? show(c, makeSuccessMessage('The session has ended.'))
        : show(c, makeProblemMessage('The session had already ended. Nothing was changed.'))
    })
}

/** Makes the message that says why the server refused a new password. */
export const makePasswordError = (error: string): Message =>
  makeFieldMessage({ password: error }, 'The password was not set')

type OwnAccount = Awaited<ReturnType<typeof readOwnAccount>>

/** @param sessionId the id of the session that this browser uses */
function AccountPage({ own, sessionId }: { own: OwnAccount; sessionId: string }) {
  const { hasPassword, passkeys, sessions } = own
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

const makePasskeyColumns = (needsStepUp: boolean): Column<OwnAccount['passkeys'][number]>[] => [
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

const makeSessionColumns = (ownId: string): Column<OwnAccount['sessions'][number]>[] => [
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

/**
 * Shortens a `User-Agent` to its browser and system, as in `Chrome/141 (Windows NT 10.0; Win64; x64)`. The last name
 * counts, because browsers that are made of Chrome name Chrome first. Returns an unknown `User-Agent` unchanged.
 */
export function describeBrowser(userAgent: string): string {
  const names = /\b(?:Edg\w*|OPR|Firefox|FxiOS|Chrome|CriOS|Version)\/\d+/g
  const browser = userAgent.match(names)?.at(-1)?.replace('Version', 'Safari')
  const [system = ''] = /\([^()]*\)/.exec(userAgent) ?? []
  return browser === undefined ? userAgent : `${browser} ${system}`.trim()
}
