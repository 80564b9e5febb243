import { Hono } from 'hono'
import type { ConsoleContext, ConsoleEnv, ConsoleServices } from '#console/console-services.ts'
import { readForm } from '#console/requests/read-form.ts'
import { isLocalPath } from '#console/security/console-cookies.ts'
import { isSafeMethod } from '#console/security/same-origin-requests.ts'
import { ConsolePage } from '#console/shell/console-page.tsx'
import { ButtonForm, PasskeyForm, PostForm, SubmitButton } from '#console/shell/forms.tsx'
import { Callout } from '#console/shell/message.tsx'
import { LeadsCommand, useShell } from '#console/shell/shell.tsx'
import { type Message, makeFieldMessage, makeProblemMessage } from '#domain/operator/messages.ts'
import { type Permission, permissions, revealLimit } from '#domain/operator/permissions.ts'
import type { StepUpRequiredError } from '#server/operators/authorize.ts'
import { listCredentials } from '#server/operators/credentials.ts'
import { demoEmail } from '#server/operators/one-time-links.ts'
import { confirmByPasskey, makePasskeyRequestOptions } from '#server/operators/passkeys.ts'
import { completeStepUp, confirmByPassword } from '#server/operators/sign-in.ts'
import { parseJson } from '#server/platform/call/http-call.ts'
import { PasswordField, SingleSignOnLink, type SingleSignOnProvider } from './credential-fields.tsx'
import styles from './sign-in-page.module.css'
import { reauthenticationPath } from './sign-in-page.tsx'

const confirmPath = '/confirm'

interface ConfirmRequest {
  /** The page to return to after the confirmation. The server doesn't keep or repeat a posted form. */
  readonly to: string
  /** The action that needs the confirmation; undefined if the operator has not tried an action yet. */
  readonly action?: Permission | undefined
}

/** Routes on which operators confirm who they are by password, passkey or single sign-on, and return to their page. */
export function stepUpRoutes(services: ConsoleServices) {
  const { operators } = services
  return new Hono<ConsoleEnv>()
    .get(confirmPath, (c) =>
      showConfirmPage(services, c, parseConfirmRequest(c.req.query('to'), c.req.query('for'))),
    )
    .post(confirmPath, async (c) => {
      const form = await readForm(c, 'password', 'to', 'for')
      const request = parseConfirmRequest(form.to, form.for)
      const own = c.get('ownSession')
      if (isConfirmedByClick(services, c, await listCredentials(operators.db, own.actor.id))) {
        await completeStepUp(operators, own)
        return c.redirect(request.to, 303)
      }
      const outcome = await confirmByPassword(operators, own, form.password, c.get('source'))
      if (outcome.kind === 'valid') return c.redirect(request.to, 303)
      const problem =
        outcome.kind === 'wait'
          ? makeProblemMessage(`Too many attempts. Wait ${outcome.seconds} s, then try again.`)
          : makeFieldMessage({ password: 'Enter your password again.' }, 'Wrong password')
      return showConfirmPage(services, c, request, problem)
    })
    .post(`${confirmPath}/passkey/options`, async (c) =>
      c.json(await makePasskeyRequestOptions(operators, c.get('secret'), c.get('actor').id)),
    )
    .post(`${confirmPath}/passkey`, async (c) => {
      const form = await readForm(c, 'answer', 'to', 'for')
      const request = parseConfirmRequest(form.to, form.for)
      const response = parseJson(form.answer)
      if (await confirmByPasskey(operators, c.get('ownSession'), response, c.get('secret'))) {
        return c.redirect(request.to, 303)
      }
      const heading = 'This passkey doesn’t belong to your account. Use another passkey.'
      return showConfirmPage(services, c, request, makeProblemMessage(heading))
    })
}

async function showConfirmPage(
  services: ConsoleServices,
  c: ConsoleContext,
  request: ConfirmRequest,
  problem?: Message,
): Promise<Response> {
  const { operators, singleSignOn } = services
  const own = await listCredentials(operators.db, c.get('actor').id)
  const isLinked = singleSignOn && own.issuers.includes(singleSignOn.settings.issuer)
  const href = `${reauthenticationPath}&${new URLSearchParams({ to: request.to })}`
  const page = (
    <StepUpPage
      hasPassword={own.hasPassword}
      hasPasskey={own.passkeys.length > 0}
      isConfirmedByClick={isConfirmedByClick(services, c, own)}
      {...request}
      provider={isLinked ? { name: singleSignOn.settings.name, href } : undefined}
    />
  )
  return c.render(page, problem, problem && 403)
}

/**
 * Returns whether the operator is the demo's admin and has no credential. Their printed link signs in only once, and in
 * demo mode there are only made-up leads, so a click confirms.
 */
const isConfirmedByClick = (
  { settings }: ConsoleServices,
  c: ConsoleContext,
  { hasPassword, passkeys }: Awaited<ReturnType<typeof listCredentials>>,
): boolean =>
  settings.mode === 'demo' &&
  c.get('actor').email === demoEmail &&
  !hasPassword &&
  passkeys.length === 0

/** If the path leads to another site, the operator returns to the overview instead. */
const parseConfirmRequest = (to = '', action = ''): ConfirmRequest => ({
  to: isLocalPath(to) ? to : '/',
  action: permissions.find((known) => known === action),
})

/**
 * Redirects a request that needs a recent sign-in to the confirmation page. The console neither runs nor keeps the
 * request. After the confirmation, the operator presses the button again.
 */
export function redirectToStepUp(c: ConsoleContext, { action }: StepUpRequiredError): Response {
  const from = isSafeMethod(c.req.method) ? c.req.url : (c.req.header('referer') ?? '')
  const { pathname, search } = URL.canParse(from) ? new URL(from) : { pathname: '/', search: '' }
  return c.redirect(
    `${confirmPath}?${new URLSearchParams({ for: action, to: pathname + search })}`,
    303,
  )
}

interface StepUpPageProps extends ConfirmRequest {
  hasPassword: boolean
  hasPasskey: boolean
  /** Whether a click confirms, as for the demo's admin. */
  isConfirmedByClick: boolean
  /** The single sign-on provider; undefined if the operator's account isn't linked to the provider. */
  provider?: SingleSignOnProvider | undefined
}

function StepUpPage(props: StepUpPageProps) {
  const { hasPassword, hasPasskey, isConfirmedByClick, provider, to, action } = props
  const shell = useShell()
  const fields: Record<string, string> = { to, ...(action && { for: action }) }
  return (
    <ConsolePage name="Confirm it’s you" hasPasskeys={hasPasskey}>
      <div className={styles.narrow}>
        <p>{describeStepUpReason(action)}</p>
        {isConfirmedByClick && (
          <>
            <p>In demo mode, the demo’s admin needs no password.</p>
            <ButtonForm action="/confirm" button="Confirm" fields={fields} variant="primary" />
          </>
        )}
        {hasPassword && (
          <PostForm action="/confirm" aria-label="Confirm with your password" fields={fields}>
            <PasswordField />
            <SubmitButton variant="primary">Confirm</SubmitButton>
          </PostForm>
        )}
        {hasPasskey && (
          <PasskeyForm action="/confirm/passkey" button="Confirm with a passkey" fields={fields} />
        )}
        {provider && <SingleSignOnLink provider={provider} verb="Confirm" />}
        {!hasPassword && !hasPasskey && !isConfirmedByClick && provider === undefined && (
          <Callout kind="note" heading="You have neither a password nor a passkey">
            <p>
              Sign in with the link that this command prints, then add a passkey or a password under
              your account: <LeadsCommand verb={`sign-in-link ${shell.operator?.email ?? ''}`} />
            </p>
          </Callout>
        )}
        <p>
          <a href={to}>Go back without confirming</a>
        </p>
      </div>
    </ConsolePage>
  )
}

function describeStepUpReason(action: Permission | undefined): string {
  if (action === 'reveal a lead' || action === 'search for a person') {
    return `You have revealed or searched for ${revealLimit.most} people within an hour. Confirm it’s you to continue. Afterwards, select Reveal again, or repeat the search.`
  }
  const purpose = action === undefined ? 'To continue' : `To ${action}`
  return `${purpose}, confirm it’s you: your last sign-in was more than ten minutes ago. Nothing has been done yet. Afterwards you return to the page you came from, without what you typed there.`
}
