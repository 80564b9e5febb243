import { Hono } from 'hono'
import type { ConsoleContext, ConsoleEnv, ConsoleServices } from '#console/console-services.ts'
import { readForm } from '#console/requests/read-form.ts'
import type { Message } from '#domain/operator/messages.ts'
import {
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
import { AccountPage, RemovePasskeyPage } from './account-page.tsx'

const otherSessionsEnded =
  'Your other sessions have ended, and unused sign-in links to your account no longer work.'

export function accountRoutes({ operators }: ConsoleServices) {
  const show = async (c: ConsoleContext, message?: Message) => {
    const own = await readOwnAccount(operators, c.get('actor'))
    const { sessionId } = c.get('ownSession')
    const page = <AccountPage {...own} sessionId={sessionId} />
    return c.render(page, message)
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
      const page = { passkey, hasOtherWay }
      return c.render(<RemovePasskeyPage {...page} />)
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
