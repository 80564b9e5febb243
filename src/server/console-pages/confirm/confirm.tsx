import { Hono } from 'hono'
import { html } from '#console/render.ts'
import { MessagePage } from '#console/shell/message-page.tsx'
import type { ConfirmOwn } from '#server/operators/sessions/confirm-own.ts'
import type { KeepForms } from '#server/operators/sessions/keep-forms.ts'
import type { Passkeys } from '#server/operators/sign-in/passkeys.ts'
import type { BrowserOf } from '../browser-of.ts'
import type { ConsoleContext, ConsoleEnv } from '../console-env.ts'
import { readAnswer, readForm } from '../read-form.ts'
import type { SessionCookie } from '../security/session-cookie.ts'
import type { ShellOf } from '../shell-of.ts'
import { confirmPath } from './confirm-path.ts'
import type { ShowConfirm } from './show-confirm.tsx'

export interface ConfirmPorts {
  readonly shellOf: ShellOf
  readonly cookie: SessionCookie
  readonly browserOf: BrowserOf
  readonly confirmOwn: ConfirmOwn
  readonly passkeys: Passkeys
  readonly keepForms: KeepForms
  readonly showConfirm: ShowConfirm
  /** Posts to the console itself, as the browser that asks would. */
  readonly postAgain: (c: ConsoleContext, path: string, body: string) => Promise<Response>
}

/** Asks once more for password or passkey; what was posted is done then. */
export function confirm(ports: ConfirmPorts) {
  const { shellOf, cookie, browserOf, confirmOwn, passkeys, keepForms, showConfirm, postAgain } =
    ports
  /** Its answer may have been lost after it was done. */
  const over = (c: ConsoleContext) =>
    c.html(
      html(
        <MessagePage
          shell={shellOf(c)}
          name="Nothing waits for this any more"
          text="What you sent was done already, or was kept for ten minutes and is gone. It was not done again now: look whether it was done, and send it once more if not."
        />,
      ),
      409,
    )
  const goOn = async (c: ConsoleContext, keptId: string) => {
    if (keptId === '') return c.redirect(cookie.takeWanted(c), 303)
    const form = await keepForms.take(keptId, c.get('secret'))
    return form === undefined ? over(c) : postAgain(c, form.path, form.body)
  }
  const sessionOf = (c: ConsoleContext) => c.get('session')?.id ?? ''

  return new Hono<ConsoleEnv>()
    .get(confirmPath, (c) => showConfirm(c, c.req.query('kept') ?? ''))
    .post(confirmPath, async (c) => {
      const { password, kept } = await readForm(c, 'password', 'kept')
      const own = { actor: c.get('actor'), sessionId: sessionOf(c) }
      const outcome = await confirmOwn.byPassword(own, password, browserOf(c))
      if (outcome.kind === 'right') return goOn(c, kept)
      return showConfirm(
        c,
        kept,
        outcome.kind === 'wait'
          ? { heading: `Too many tries. Wait ${outcome.seconds} s, then try again.` }
          : {
              heading: 'That is not your password.',
              fields: { password: 'Enter your password again.' },
            },
      )
    })
    .post(`${confirmPath}/passkey/options`, async (c) =>
      c.json(await passkeys.confirmOptions(c.get('actor'), c.get('secret'))),
    )
    .post(`${confirmPath}/passkey`, async (c) => {
      const { answer, kept } = await readForm(c, 'answer', 'kept')
      const actor = c.get('actor')
      if (!(await passkeys.isOwn(readAnswer(answer), c.get('secret'), actor))) {
        return showConfirm(c, kept, { heading: 'That is none of your passkeys.' })
      }
      await confirmOwn.confirmed({ actor, sessionId: sessionOf(c) })
      return goOn(c, kept)
    })
    .post(`${confirmPath}/go-on`, async (c) => goOn(c, (await readForm(c, 'kept')).kept))
}
