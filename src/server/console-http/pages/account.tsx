import { Hono } from 'hono'
import { AccountPage, type AccountPageProps } from '#console/account/account-page.tsx'
import { html } from '#console/render.ts'
import type { OwnAccountCase } from '#server/use-cases/operators/own-account.ts'
import type { Passkeys } from '#server/use-cases/operators/sign-in/passkeys.ts'
import type { ConsoleContext, ConsoleEnv } from '../console-env.ts'
import { readAnswer, readForm } from '../read-form.ts'
import type { ShellOf } from '../shell-of.ts'

export interface AccountPorts {
  readonly shellOf: ShellOf
  readonly ownAccount: OwnAccountCase
  readonly passkeys: Passkeys
}

/** One's own ways to sign in, and one's sessions. */
export function account({ shellOf, ownAccount, passkeys }: AccountPorts) {
  const show = async (c: ConsoleContext, more: Pick<AccountPageProps, 'done' | 'fault'> = {}) => {
    const own = await ownAccount.read(c.get('actor'))
    const sessionId = c.get('session')?.id ?? ''
    const page = <AccountPage shell={shellOf(c)} {...own} sessionId={sessionId} {...more} />
    return c.html(html(page), more.fault === undefined ? 200 : 422)
  }
  return new Hono<ConsoleEnv>()
    .get('/account', (c) => show(c))
    .post('/account/password', async (c) => {
      const { password } = await readForm(c, 'password')
      const sessionId = c.get('session')?.id ?? ''
      const fault = await ownAccount.setPassword(c.get('actor'), password, sessionId)
      return fault === undefined
        ? show(c, { done: 'The password is set. Your other sessions were ended.' })
        : show(c, { fault })
    })
    .post('/account/passkeys/options', async (c) =>
      c.json(await passkeys.addOptions(c.get('actor'), c.get('secret'))),
    )
    .post('/account/passkeys', async (c) => {
      const { answer } = await readForm(c, 'answer')
      const isAdded = await passkeys.add(c.get('actor'), readAnswer(answer), c.get('secret'))
      return isAdded
        ? show(c, { done: 'The passkey was added.' })
        : show(c, { fault: 'The passkey was not taken. Please try again.' })
    })
    .post('/account/passkeys/remove', async (c) => {
      const { id } = await readForm(c, 'id')
      const isRemoved = await ownAccount.removePasskey(c.get('actor'), id)
      return show(c, isRemoved ? { done: 'The passkey was removed.' } : {})
    })
    .post('/account/sessions/end', async (c) => {
      const { id } = await readForm(c, 'id')
      const isEnded = await ownAccount.endSession(c.get('actor'), id)
      return show(c, isEnded ? { done: 'That session has ended.' } : {})
    })
}
