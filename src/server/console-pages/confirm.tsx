import { Hono } from 'hono'
import { html } from '#console/render.ts'
import type { Message } from '#console/shell/message.tsx'
import { ConfirmPage } from '#console/sign-in/confirm-page.tsx'
import { type Action, actions } from '#domain/operator/rights.ts'
import type { StepUpRequiredError } from '#server/operators/authorise.ts'
import type { ConfirmOwn } from '#server/operators/sessions/confirm-own.ts'
import type { Passkeys } from '#server/operators/sign-in/passkeys.ts'
import type { BrowserOf } from './browser-of.ts'
import type { ConsoleContext, ConsoleEnv } from './console-env.ts'
import { readAnswer, readForm } from './read-form.ts'
import { isRead } from './security/own-requests.ts'
import { isOwnPath } from './security/session-cookie.ts'
import type { ShellOf } from './shell-of.ts'
import type { SignOnParts } from './single-sign-on/sign-on-parts.ts'

export const confirmPath = '/confirm'

/** The page that an operator confirms for. */
export interface ConfirmRequest {
  /** The page to return to, by a plain GET: nothing that was sent is kept or repeated. */
  readonly to: string
  /** The action that needs it; undefined where they came from a form that isn't shown without it. */
  readonly action?: Action | undefined
}

export interface ShowConfirmPorts {
  readonly shellOf: ShellOf
  readonly confirmOwn: ConfirmOwn
  readonly singleSignOn: SignOnParts | undefined
}

export interface ConfirmPorts extends ShowConfirmPorts {
  readonly browserOf: BrowserOf
  readonly passkeys: Passkeys
}

/** Asks an operator to confirm with a password, a passkey or single sign-on, then returns to the page they came from. */
export function confirm(ports: ConfirmPorts) {
  const { browserOf, confirmOwn, passkeys } = ports
  const show = makeShowConfirm(ports)
  const sessionOf = (c: ConsoleContext) => c.get('session')?.id ?? ''

  return new Hono<ConsoleEnv>()
    .get(confirmPath, (c) => show(c, requestOf(c.req.query('to'), c.req.query('for'))))
    .post(confirmPath, async (c) => {
      const form = await readForm(c, 'password', 'to', 'for')
      const request = requestOf(form.to, form.for)
      const own = { actor: c.get('actor'), sessionId: sessionOf(c) }
      const outcome = await confirmOwn.byPassword(own, form.password, browserOf(c))
      if (outcome.kind === 'right') return c.redirect(request.to, 303)
      return show(
        c,
        request,
        outcome.kind === 'wait'
          ? { heading: `Too many tries. Wait ${outcome.seconds} s, then try again.` }
          : { heading: 'Wrong password', fields: { password: 'Enter your password again.' } },
      )
    })
    .post(`${confirmPath}/passkey/options`, async (c) =>
      c.json(await passkeys.confirmOptions(c.get('actor'), c.get('secret'))),
    )
    .post(`${confirmPath}/passkey`, async (c) => {
      const form = await readForm(c, 'answer', 'to', 'for')
      const request = requestOf(form.to, form.for)
      const actor = c.get('actor')
      if (!(await passkeys.isOwn(readAnswer(form.answer), c.get('secret'), actor))) {
        return show(c, request, {
          heading: 'That passkey isn’t one of yours. Use another one.',
        })
      }
      await confirmOwn.confirmed({ actor, sessionId: sessionOf(c) })
      return c.redirect(request.to, 303)
    })
}

export const makeShowConfirm =
  ({ shellOf, confirmOwn, singleSignOn }: ShowConfirmPorts) =>
  async (
    c: ConsoleContext,
    request: ConfirmRequest,
    problem?: Omit<Message, 'kind'>,
    status: 403 | 503 = 403,
  ) => {
    const actor = c.get('actor')
    const isBySignOn = await singleSignOn?.useCase.isWayOf(actor.id)
    const page = (
      <ConfirmPage
        shell={shellOf(c)}
        {...(await confirmOwn.waysOf(actor))}
        {...request}
        provider={isBySignOn ? singleSignOn?.settings.name : undefined}
        problem={problem && { kind: 'problem', ...problem }}
      />
    )
    return c.html(html(page), problem === undefined ? 200 : status)
  }

export type ShowConfirm = ReturnType<typeof makeShowConfirm>

/** Reads the address or the form. A path of another site leads to the overview instead. */
export function requestOf(to = '', action = ''): ConfirmRequest {
  return {
    to: isOwnPath(to) ? to : '/',
    action: actions.find((known) => known === action),
  }
}

/**
 * Answers a request that needs a recent sign-in with the confirmation page. The operator returns to the page that the request
 * came from and presses the button again there: nothing was done, and nothing of the request is kept.
 */
export function requireStepUp(c: ConsoleContext, { action }: StepUpRequiredError): Response {
  const from = isRead(c.req.method) ? c.req.url : (c.req.header('referer') ?? '')
  const { pathname, search } = URL.canParse(from) ? new URL(from) : { pathname: '/', search: '' }
  return c.redirect(
    `${confirmPath}?${new URLSearchParams({ for: action, to: pathname + search })}`,
    303,
  )
}
