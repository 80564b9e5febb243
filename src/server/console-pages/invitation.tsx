import { Hono } from 'hono'
import { html } from '#console/render.ts'
import type { Message } from '#console/shell/message.tsx'
import { InvitationPage } from '#console/sign-in/invitation-page.tsx'
import type { AcceptInvitation, AcceptOutcome } from '#server/operators/accept-invitation.ts'
import type { Passkeys } from '#server/operators/sign-in/passkeys.ts'
import { weakPassword } from './account.tsx'
import type { BrowserOf } from './browser-of.ts'
import type { ConsoleContext, ConsoleEnv } from './console-env.ts'
import { readAnswer, readForm } from './read-form.ts'
import type { SessionCookie } from './security/session-cookie.ts'
import type { ShellOf } from './shell-of.ts'
import { enter } from './sign-in.tsx'

export interface InvitationPorts {
  readonly shellOf: ShellOf
  readonly cookie: SessionCookie
  readonly browserOf: BrowserOf
  readonly invitation: AcceptInvitation
  readonly passkeys: Passkeys
}

export const invitationPath = '/sign-in/invitation'

/** Where who was invited chooses how to sign in. */
export function invitation({ shellOf, cookie, browserOf, invitation, passkeys }: InvitationPorts) {
  const show = async (c: ConsoleContext, code: string, problem?: Message) => {
    const email = (await invitation.find(code))?.email
    const page = <InvitationPage shell={shellOf(c)} email={email} code={code} problem={problem} />
    return c.html(html(page), email === undefined ? 403 : problem === undefined ? 200 : 422)
  }
  const answer = (
    c: ConsoleContext,
    code: string,
    outcome: AcceptOutcome,
    problemOf: (outcome: { readonly fault: string }) => Message,
  ) =>
    outcome.kind === 'in'
      ? enter(c, cookie, outcome.secret)
      : show(c, code, outcome.kind === 'fault' ? problemOf(outcome) : undefined)

  return new Hono<ConsoleEnv>()
    .get(invitationPath, (c) => show(c, c.req.query('code') ?? ''))
    .post(invitationPath, async (c) => {
      const { code, password } = await readForm(c, 'code', 'password')
      return answer(
        c,
        code,
        await invitation.byPassword(code, password, browserOf(c)),
        weakPassword,
      )
    })
    .post(`${invitationPath}/passkey/options`, async (c) => {
      const { code } = await readForm(c, 'code')
      const options = await passkeys.invitationOptions(code, c.get('secret'))
      return options === undefined ? c.json({}, 403) : c.json(options)
    })
    .post(`${invitationPath}/passkey`, async (c) => {
      const { code, answer: text } = await readForm(c, 'code', 'answer')
      const given = { code, answer: readAnswer(text), secret: c.get('secret') }
      return answer(c, code, await passkeys.acceptInvitation(given, browserOf(c)), ({ fault }) => ({
        kind: 'problem',
        heading: fault,
      }))
    })
}
