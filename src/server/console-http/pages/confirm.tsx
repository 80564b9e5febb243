import { Hono } from 'hono'
import { html } from '#console/render.ts'
import { ConfirmPage } from '#console/sign-in/confirm-page.tsx'
import type { ConfirmOwn } from '#server/use-cases/operators/confirm-own.ts'
import type { Passkeys } from '#server/use-cases/operators/passkeys.ts'
import type { BrowserOf } from '../browser-of.ts'
import type { ConsoleContext, ConsoleEnv } from '../console-env.ts'
import { readAnswer, readForm } from '../read-form.ts'
import type { SessionCookie } from '../security/session-cookie.ts'
import type { ShellOf } from '../shell-of.ts'
import type { SignOnParts } from './single-sign-on/sign-on-parts.ts'

export interface ConfirmPorts {
  readonly shellOf: ShellOf
  readonly cookie: SessionCookie
  readonly browserOf: BrowserOf
  readonly confirmOwn: ConfirmOwn
  readonly passkeys: Passkeys
  readonly singleSignOn: SignOnParts | undefined
}

export const confirmPath = '/confirm'

/** Why it is asked once more. */
interface ConfirmProblem {
  readonly heading: string
  readonly text?: string
}

export const makeShowConfirm =
  ({ shellOf, confirmOwn, singleSignOn }: Omit<ConfirmPorts, 'browserOf' | 'cookie'>) =>
  async (c: ConsoleContext, problem?: ConfirmProblem, status: 403 | 503 = 403) => {
    const actor = c.get('actor')
    const ways = await confirmOwn.waysOf(actor)
    const isBySignOn = await singleSignOn?.useCase.isWayOf(actor.id)
    const provider = isBySignOn ? singleSignOn?.settings.name : undefined
    const page = <ConfirmPage shell={shellOf(c)} {...ways} provider={provider} problem={problem} />
    return c.html(html(page), problem === undefined ? 200 : status)
  }

export type ShowConfirm = ReturnType<typeof makeShowConfirm>

/** Asks once more for password or passkey. */
export function confirm(ports: ConfirmPorts & { readonly showConfirm: ShowConfirm }) {
  const { cookie, browserOf, confirmOwn, passkeys, showConfirm: show } = ports
  const back = (c: ConsoleContext) => c.redirect(cookie.takeWanted(c), 303)
  const sessionOf = (c: ConsoleContext) => c.get('session')?.id ?? ''

  return new Hono<ConsoleEnv>()
    .get(confirmPath, (c) => show(c))
    .post(confirmPath, async (c) => {
      const { password } = await readForm(c, 'password')
      const own = { actor: c.get('actor'), sessionId: sessionOf(c) }
      const outcome = await confirmOwn.byPassword(own, password, browserOf(c))
      if (outcome.kind === 'right') return back(c)
      return show(c, {
        heading:
          outcome.kind === 'wait'
            ? `Too many tries. Wait ${outcome.seconds} s, then try again.`
            : 'That is not your password.',
      })
    })
    .post(`${confirmPath}/passkey/options`, async (c) =>
      c.json(await passkeys.confirmOptions(c.get('actor'), c.get('secret'))),
    )
    .post(`${confirmPath}/passkey`, async (c) => {
      const { answer } = await readForm(c, 'answer')
      const actor = c.get('actor')
      if (!(await passkeys.isOwn(readAnswer(answer), c.get('secret'), actor))) {
        return show(c, { heading: 'That is none of your passkeys.' })
      }
      await confirmOwn.confirmed({ actor, sessionId: sessionOf(c) })
      return back(c)
    })
}
