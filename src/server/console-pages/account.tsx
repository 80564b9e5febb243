import { Hono } from 'hono'
import { AccountPage } from '#console/account/account-page.tsx'
import { renderHtml } from '#console/render.ts'
import type { Message } from '#console/shell/message.tsx'
import {
  addOwnCredential,
  endOwnSession,
  readOwnAccount,
  removeOwnPasskey,
} from '#server/operators/own-account.ts'
import { addPasskeyOptions, newPasskey } from '#server/operators/passkeys.ts'
import { newPassword } from '#server/operators/passwords.ts'
import {
  type ConsoleContext,
  type ConsoleEnv,
  type ConsoleParts,
  ownSession,
} from './console-env.ts'
import { readAnswer, readForm } from './read-form.ts'

const otherSessionsEnded =
  'Your other sessions have ended, and unused sign-in links to your account no longer work.'

export function account({ shellOf, operators }: ConsoleParts) {
  const show = async (c: ConsoleContext, message?: Message) => {
    const own = await readOwnAccount(operators, c.get('actor'))
    const { sessionId } = ownSession(c)
    const page = <AccountPage shell={shellOf(c)} {...own} sessionId={sessionId} message={message} />
    return c.html(renderHtml(page), message?.kind === 'problem' ? 422 : 200)
  }
  return new Hono<ConsoleEnv>()
    .get('/account', (c) => show(c))
    .post('/account/password', async (c) => {
      const { password } = await readForm(c, 'password')
      const fault = await addOwnCredential(operators, ownSession(c), newPassword(password))
      return fault === undefined
        ? show(c, success(`Password set. ${otherSessionsEnded}`))
        : show(c, weakPassword(fault))
    })
    .post('/account/passkeys/options', async (c) =>
      c.json(await addPasskeyOptions(operators, c.get('actor'), c.get('secret'))),
    )
    .post('/account/passkeys', async (c) => {
      const answer = readAnswer((await readForm(c, 'answer')).answer)
      const passkey = newPasskey(operators, answer, c.get('secret'))
      const fault = await addOwnCredential(operators, ownSession(c), passkey)
      return show(c, fault === undefined ? success('Passkey added.') : failure(fault))
    })
    .post('/account/passkeys/remove', async (c) => {
      const { id } = await readForm(c, 'id')
      return show(
        c,
        (await removeOwnPasskey(operators, ownSession(c), id))
          ? success(`Passkey removed. ${otherSessionsEnded}`)
          : failure('You don’t have this passkey. Nothing was removed.'),
      )
    })
    .post('/account/sessions/end', async (c) => {
      const { id } = await readForm(c, 'id')
      return show(
        c,
        (await endOwnSession(operators, c.get('actor'), id))
          ? success('That session has ended.')
          : failure('That session had already ended. Nothing was changed.'),
      )
    })
}

const success = (heading: string): Message => ({ kind: 'well', heading })
const failure = (heading: string): Message => ({ kind: 'problem', heading })

/** Says why a new password was refused, without repeating the password. */
export const weakPassword = (fault: string): Message => ({
  kind: 'problem',
  heading: 'The password was not set',
  fields: { password: fault },
})
