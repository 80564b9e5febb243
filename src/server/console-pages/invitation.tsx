import { Hono } from 'hono'
import { html } from '#console/render.ts'
import type { Message } from '#console/shell/message.tsx'
import { InvitationPage } from '#console/sign-in/invitation-page.tsx'
import { acceptInvitationByPasskey, invitationOptions } from '#server/operators/passkeys.ts'
import {
  type AcceptOutcome,
  acceptInvitationByPassword,
  findInvited,
} from '#server/operators/sign-in.ts'
import { weakPassword } from './account.tsx'
import type { ConsoleContext, ConsoleEnv, OperatorPagesParts } from './console-env.ts'
import { readAnswer, readForm } from './read-form.ts'

export const invitationPath = '/sign-in/invitation'

/** An invited operator chooses how to sign in. */
export function invitation({ shellOf, cookie, browserOf, operators }: OperatorPagesParts) {
  const show = async (c: ConsoleContext, code: string, problem?: Message) => {
    const email = (await findInvited(operators, code))?.email
    const page = <InvitationPage shell={shellOf(c)} email={email} code={code} problem={problem} />
    return c.html(html(page), email === undefined ? 403 : problem === undefined ? 200 : 422)
  }
  const answer = (
    c: ConsoleContext,
    code: string,
    outcome: AcceptOutcome,
    problemOf: (fault: string) => Message,
  ) =>
    outcome.kind === 'in'
      ? cookie.signIn(c, outcome.secret)
      : show(c, code, outcome.kind === 'fault' ? problemOf(outcome.fault) : undefined)

  return new Hono<ConsoleEnv>()
    .get(invitationPath, (c) => show(c, c.req.query('code') ?? ''))
    .post(invitationPath, async (c) => {
      const { code, password } = await readForm(c, 'code', 'password')
      const outcome = await acceptInvitationByPassword(operators, code, password, browserOf(c))
      return answer(c, code, outcome, weakPassword)
    })
    .post(`${invitationPath}/passkey/options`, async (c) => {
      const { code } = await readForm(c, 'code')
      const options = await invitationOptions(operators, code, c.get('secret'))
      return options === undefined ? c.json({}, 403) : c.json(options)
    })
    .post(`${invitationPath}/passkey`, async (c) => {
      const form = await readForm(c, 'code', 'answer')
      const given = { code: form.code, answer: readAnswer(form.answer), secret: c.get('secret') }
      const outcome = await acceptInvitationByPasskey(operators, given, browserOf(c))
      return answer(c, form.code, outcome, (heading) => ({ kind: 'problem', heading }))
    })
}
