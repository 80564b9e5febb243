import { Hono } from 'hono'
import { renderHtml } from '#console/render.ts'
import type { Message } from '#console/shell/message.tsx'
import { StepUpPage } from '#console/sign-in/step-up-page.tsx'
import { type Action, actions } from '#domain/operator/rights.ts'
import type { StepUpRequiredError } from '#server/operators/authorize.ts'
import { listCredentials } from '#server/operators/credentials.ts'
import { makeConfirmOptions, verifyOwnPasskey } from '#server/operators/passkeys.ts'
import { completeStepUp, confirmByPassword } from '#server/operators/sign-in.ts'
import { parseJson } from '#server/platform/call/http-call.ts'
import {
  type ConsoleContext,
  type ConsoleEnv,
  type ConsoleServices,
  findOwnSession,
} from './console-env.ts'
import { readForm } from './read-form.ts'
import { isSafeMethod } from './security/same-origin-requests.ts'
import { isLocalPath } from './security/session-cookie.ts'
import { reauthenticationPath } from './single-sign-on.tsx'

const confirmPath = '/confirm'

/** The page and action that an operator confirms their identity for. */
interface ConfirmRequest {
  /** The page to return to with a plain GET. The server doesn't keep or repeat the posted form. */
  readonly to: string
  /**
   * The action that needs the confirmation; undefined if the operator comes from a page that hides its form before a
   * confirmation.
   */
  readonly action?: Action | undefined
}

/** Asks operators to confirm with a password, a passkey or single sign-on, then returns to the page they came from. */
export function stepUpRoutes(parts: ConsoleServices) {
  const { operators } = parts
  return new Hono<ConsoleEnv>()
    .get(confirmPath, (c) =>
      showConfirmPage(parts, c, parseConfirmRequest(c.req.query('to'), c.req.query('for'))),
    )
    .post(confirmPath, async (c) => {
      const form = await readForm(c, 'password', 'to', 'for')
      const request = parseConfirmRequest(form.to, form.for)
      const outcome = await confirmByPassword(
        operators,
        findOwnSession(c),
        form.password,
        c.get('browser'),
      )
      if (outcome.kind === 'valid') return c.redirect(request.to, 303)
      return showConfirmPage(
        parts,
        c,
        request,
        outcome.kind === 'wait'
          ? { heading: `Too many attempts. Wait ${outcome.seconds} s, then try again.` }
          : { heading: 'Wrong password', fields: { password: 'Enter your password again.' } },
      )
    })
    .post(`${confirmPath}/passkey/options`, async (c) =>
      c.json(await makeConfirmOptions(operators, c.get('actor'), c.get('secret'))),
    )
    .post(`${confirmPath}/passkey`, async (c) => {
      const form = await readForm(c, 'answer', 'to', 'for')
      const request = parseConfirmRequest(form.to, form.for)
      const own = findOwnSession(c)
      if (
        !(await verifyOwnPasskey(operators, parseJson(form.answer), c.get('secret'), own.actor))
      ) {
        return showConfirmPage(parts, c, request, {
          heading: 'That passkey doesn’t belong to your account. Use another one.',
        })
      }
      await completeStepUp(operators, own)
      return c.redirect(request.to, 303)
    })
}

async function showConfirmPage(
  { shellOf, operators, singleSignOn }: ConsoleServices,
  c: ConsoleContext,
  request: ConfirmRequest,
  problem?: Omit<Message, 'kind'>,
): Promise<Response> {
  const own = await listCredentials(operators.db, c.get('actor').id)
  const isBySignOn = singleSignOn && own.issuers.includes(singleSignOn.settings.issuer)
  const page = (
    <StepUpPage
      shell={shellOf(c)}
      hasPassword={own.hasPassword}
      hasPasskey={own.passkeys.length > 0}
      {...request}
      provider={
        isBySignOn
          ? {
              name: singleSignOn.settings.name,
              href: `${reauthenticationPath}&${new URLSearchParams({ to: request.to })}`,
            }
          : undefined
      }
      problem={problem && { kind: 'problem', ...problem }}
    />
  )
  return c.html(renderHtml(page), problem === undefined ? 200 : 403)
}

/** Reads the page to return to and the action. If the path leads to another site, the overview is used instead. */
function parseConfirmRequest(to = '', action = ''): ConfirmRequest {
  return {
    to: isLocalPath(to) ? to : '/',
    action: actions.find((known) => known === action),
  }
}

/**
 * Redirects a request that needs a recent sign-in to the confirmation page, without acting on the request or keeping
 * it. The operator then returns to the page and presses the button again.
 */
export function redirectToStepUp(c: ConsoleContext, { action }: StepUpRequiredError): Response {
  const from = isSafeMethod(c.req.method) ? c.req.url : (c.req.header('referer') ?? '')
  const { pathname, search } = URL.canParse(from) ? new URL(from) : { pathname: '/', search: '' }
  return c.redirect(
    `${confirmPath}?${new URLSearchParams({ for: action, to: pathname + search })}`,
    303,
  )
}
