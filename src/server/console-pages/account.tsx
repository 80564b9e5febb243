import { Hono } from 'hono'
import { AccountPage } from '#console/account/account-page.tsx'
import { renderHtml } from '#console/render.ts'
import type { Message } from '#console/shell/message.tsx'
import { makeAddPasskeyOptions, makePasskeyCredential } from '#server/operators/passkeys.ts'
import { makePasswordCredential } from '#server/operators/passwords.ts'
import {
  addOwnCredential,
  endOwnSession,
  readOwnAccount,
  removeOwnPasskey,
} from '#server/operators/sign-in.ts'
import { parseJson } from '#server/platform/call/http-call.ts'
import {
  type ConsoleContext,
  type ConsoleEnv,
  type ConsoleServices,
  findOwnSession,
} from './console-env.ts'
import { makeProblem, readForm } from './read-form.ts'

const otherSessionsEnded =
  'Your other sessions have ended, and unused sign-in links to your account no longer work.'

export function accountRoutes({ shellOf, operators }: ConsoleServices) {
  const show = async (c: ConsoleContext, message?: Message) => {
    const own = await readOwnAccount(operators, c.get('actor'))
    const { sessionId } = findOwnSession(c)
    const page = <AccountPage shell={shellOf(c)} {...own} sessionId={sessionId} message={message} />
    return c.html(renderHtml(page), message?.kind === 'problem' ? 422 : 200)
  }
  return new Hono<ConsoleEnv>()
    .get('/account', (c) => show(c))
    .post('/account/password', async (c) => {
      const { password } = await readForm(c, 'password')
      const fault = await addOwnCredential(
        operators,
        findOwnSession(c),
        makePasswordCredential(password),
      )
      return fault === undefined
        ? show(c, makeSuccessMessage(`Password set. ${otherSessionsEnded}`))
        : show(c, makePasswordError(fault))
    })
    .post('/account/passkeys/options', async (c) =>
      c.json(await makeAddPasskeyOptions(operators, c.get('actor'), c.get('secret'))),
    )
    .post('/account/passkeys', async (c) => {
      const answer = parseJson((await readForm(c, 'answer')).answer)
      const passkey = makePasskeyCredential(operators, answer, c.get('secret'))
      const fault = await addOwnCredential(operators, findOwnSession(c), passkey)
      return show(
        c,
        fault === undefined ? makeSuccessMessage('Passkey added.') : makeProblem(fault),
      )
    })
    .post('/account/passkeys/remove', async (c) => {
      const { id } = await readForm(c, 'id')
      return show(
        c,
        (await removeOwnPasskey(operators, findOwnSession(c), id))
          ? makeSuccessMessage(`Passkey removed. ${otherSessionsEnded}`)
          : makeProblem('You don’t have this passkey. Nothing was removed.'),
      )
    })
    .post('/account/sessions/end', async (c) => {
      const { id } = await readForm(c, 'id')
      return show(
        c,
        (await endOwnSession(operators, c.get('actor'), id))
          ? makeSuccessMessage('That session has ended.')
          : makeProblem('That session had already ended. Nothing was changed.'),
      )
    })
}

const makeSuccessMessage = (heading: string): Message => ({ kind: 'well', heading })
/** Says why a new password was refused, without repeating the password. */
export const makePasswordError = (fault: string): Message => ({
  kind: 'problem',
  heading: 'The password was not set',
  fields: { password: fault },
})
