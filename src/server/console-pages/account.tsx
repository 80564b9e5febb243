import { Hono } from 'hono'
import { AccountPage } from '#console/account/account-page.tsx'
import { html } from '#console/render.ts'
import type { Message } from '#console/shell/message.tsx'
import type { OwnAccountCase } from '#server/operators/own-account.ts'
import type { Passkeys } from '#server/operators/sign-in/passkeys.ts'
import type { ConsoleContext, ConsoleEnv } from './console-env.ts'
import { readAnswer, readForm } from './read-form.ts'
import type { ShellOf } from './shell-of.ts'

export interface AccountPorts {
  readonly shellOf: ShellOf
  readonly ownAccount: OwnAccountCase
  readonly passkeys: Passkeys
}

const othersEnded =
  'Your other sessions have ended, and links to sign in that were sent to you no longer work.'

/** One's own ways to sign in, and one's sessions. */
export function account({ shellOf, ownAccount, passkeys }: AccountPorts) {
  const show = async (c: ConsoleContext, message?: Message) => {
    const own = await ownAccount.read(c.get('actor'))
    const sessionId = c.get('session')?.id ?? ''
    const page = <AccountPage shell={shellOf(c)} {...own} sessionId={sessionId} message={message} />
    return c.html(html(page), message?.kind === 'problem' ? 422 : 200)
  }
  return new Hono<ConsoleEnv>()
    .get('/account', (c) => show(c))
    .post('/account/password', async (c) => {
      const { password } = await readForm(c, 'password')
      const sessionId = c.get('session')?.id ?? ''
      const fault = await ownAccount.setPassword(c.get('actor'), password, sessionId)
      return fault === undefined
        ? show(c, done(`The password is set. ${othersEnded}`))
        : show(c, weakPassword({ fault }))
    })
    .post('/account/passkeys/options', async (c) =>
      c.json(await passkeys.addOptions(c.get('actor'), c.get('secret'))),
    )
    .post('/account/passkeys', async (c) => {
      const { answer } = await readForm(c, 'answer')
      const problem = await passkeys.add(c.get('actor'), readAnswer(answer), c.get('secret'))
      return show(c, problem === undefined ? done('The passkey was added.') : notDone(problem))
    })
    .post('/account/passkeys/remove', async (c) => {
      const { id } = await readForm(c, 'id')
      const sessionId = c.get('session')?.id ?? ''
      const isRemoved = await ownAccount.removePasskey(c.get('actor'), id, sessionId)
      return show(
        c,
        isRemoved
          ? done(`The passkey was removed. ${othersEnded}`)
          : notDone('You have no such passkey. Nothing was removed.'),
      )
    })
    .post('/account/sessions/end', async (c) => {
      const { id } = await readForm(c, 'id')
      const isEnded = await ownAccount.endSession(c.get('actor'), id)
      return show(
        c,
        isEnded
          ? done('That session has ended.')
          : notDone('That session had ended before. Nothing was changed.'),
      )
    })
}

const done = (heading: string): Message => ({ kind: 'well', heading })
const notDone = (heading: string): Message => ({ kind: 'problem', heading })

/** The password is not shown again. */
export const weakPassword = ({ fault }: { readonly fault: string }): Message => ({
  kind: 'problem',
  heading: 'The password was not set',
  fields: { password: fault },
})
