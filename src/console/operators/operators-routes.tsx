import { Hono } from 'hono'
import * as v from 'valibot'
import type { ConsoleContext, ConsoleEnv, ConsoleServices } from '#console/console-services.ts'
import { readForm } from '#console/requests/read-form.ts'
import { invitationPath } from '#console/sign-in/invitation-routes.tsx'
import {
  type Message,
  makeFieldMessage,
  makeProblemMessage,
  makeSuccessMessage,
} from '#domain/operator/messages.ts'
import { isRole } from '#domain/operator/permissions.ts'
import {
  type AccountChangeOutcome,
  addOperator,
  changeRole,
  disableOperator,
  enableOperator,
  listOperators,
  makeOperatorLink,
  type OperatorLink,
} from '#server/operators/manage-operators.ts'
import { OperatorsPage, type OperatorsPageProps } from './operators-page.tsx'

type FormResult = Pick<OperatorsPageProps, 'typed' | 'invitation'> & { readonly message?: Message }

const emailShape = v.pipe(v.string(), v.trim(), v.email())

export function operatorRoutes({ operators }: ConsoleServices) {
  const show = async (c: ConsoleContext, { message, ...result }: FormResult = {}) => {
    const actor = c.get('actor')
    const list = await listOperators(operators, actor)
    const page = <OperatorsPage operators={list} ownId={actor.id} {...result} />
    return c.render(page, message)
  }
  const showOutcome = (c: ConsoleContext, outcome: AccountChangeOutcome, success: string) =>
    show(c, { message: outcome === 'changed' ? makeSuccessMessage(success) : problems[outcome] })
  const toInvitation = ({ operator, code, expiresAt }: OperatorLink) => ({
    email: operator.email,
    link: `${operators.origin()}${invitationPath}?code=${code}`,
    expiresAt,
  })

  return new Hono<ConsoleEnv>()
    .get('/operators', (c) => show(c))
    .post('/operators', async (c) => {
      const form = await readForm(c, 'email', 'role')
      const refuse = (errors: Parameters<typeof makeFieldMessage>[0]) =>
        show(c, { message: makeFieldMessage(errors, 'Nobody was invited'), typed: form })
      const email = v.safeParse(emailShape, form.email)
      const { role } = form
      if (!email.success || !isRole(role)) {
        return refuse({
          email: !email.success && 'Enter an email address, such as ada@example.edu.',
          role: !isRole(role) && 'Choose a role.',
        })
      }
      const link = await addOperator(operators, c.get('actor'), email.output, role)
      return link === undefined
        ? refuse({
            email:
              'An operator with this address already exists. Select “Invite again” in the list to send them another link.',
          })
        : show(c, { invitation: toInvitation(link) })
    })
    .post('/operators/:id/role', async (c) => {
      const { role } = await readForm(c, 'role')
      if (!isRole(role))
        return show(c, {
          message: makeProblemMessage('There is no such role. Nothing was changed.'),
        })
      const outcome = await changeRole(operators, c.get('actor'), c.req.param('id'), role)
      return showOutcome(
        c,
        outcome,
        `The role is now ${role}, from the operator’s next request on.`,
      )
    })
    .post('/operators/:id/disable', async (c) => {
      const outcome = await disableOperator(operators, c.get('actor'), c.req.param('id'))
      return showOutcome(
        c,
        outcome,
        'Operator disabled and signed out everywhere. Their running jobs are paused, and unused invitations that they made no longer work.',
      )
    })
    .post('/operators/:id/enable', async (c) => {
      const outcome = await enableOperator(operators, c.get('actor'), c.req.param('id'))
      return showOutcome(c, outcome, 'Operator enabled.')
    })
    .post('/operators/:id/invite', async (c) => {
      const id = c.req.param('id')
      const link = await makeOperatorLink(operators, c.get('actor'), id, 'invitation')
      return link === undefined
        ? show(c, { message: problems.unknown })
        : show(c, { invitation: toInvitation(link) })
    })
}

const problems = {
  unchanged: makeProblemMessage('Nothing was changed.'),
  unknown: makeProblemMessage('This operator doesn’t exist or is disabled. Nothing was changed.'),
  oneself: makeProblemMessage(
    'You can’t change your own role or disable yourself: ask another admin. Nothing was changed.',
  ),
}
