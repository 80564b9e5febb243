import { Hono } from 'hono'
import * as v from 'valibot'
import { OperatorsPage, type OperatorsPageProps } from '#console/operators/operators-page.tsx'
import { renderHtml } from '#console/render.ts'
import type { Message } from '#console/shell/message.tsx'
import { isRole } from '#domain/operator/rights.ts'
import {
  addOperator,
  type ChangeOutcome,
  changeRole,
  disableOperator,
  enableOperator,
  listOperators,
  makeOperatorLink,
  type OperatorLink,
} from '#server/operators/manage-operators.ts'
import type { ConsoleContext, ConsoleEnv, ConsoleServices } from './console-env.ts'
import { invitationPath } from './invitation.tsx'
import { makeProblem, readForm } from './read-form.ts'

type Shown = Pick<OperatorsPageProps, 'message' | 'typed' | 'invitation'>

const email = v.pipe(v.string(), v.trim(), v.email())

export function operatorRoutes({ shellOf, operators }: ConsoleServices) {
  const show = async (c: ConsoleContext, shown: Shown = {}) => {
    const actor = c.get('actor')
    const list = await listOperators(operators, actor)
    const page = <OperatorsPage shell={shellOf(c)} operators={list} ownId={actor.id} {...shown} />
    return c.html(renderHtml(page), shown.message?.kind === 'problem' ? 422 : 200)
  }
  const change = async (c: ConsoleContext, outcome: Promise<ChangeOutcome>, success: string) =>
    show(c, toMessage(await outcome, success))
  const linkOf = ({ operator, code, expiresAt }: OperatorLink) => ({
    email: operator.email,
    link: `${operators.origin()}${invitationPath}?code=${code}`,
    expiresAt,
  })

  return new Hono<ConsoleEnv>()
    .get('/operators', (c) => show(c))
    .post('/operators', async (c) => {
      const form = await readForm(c, 'email', 'role')
      const refuse = (fields: Message['fields']) =>
        show(c, {
          message: { kind: 'problem', heading: 'Nobody was invited', fields },
          typed: form,
        })
      const given = v.safeParse(email, form.email)
      const { role } = form
      if (!given.success || !isRole(role)) {
        return refuse({
          ...(given.success ? {} : { email: 'Enter an email address, such as ada@example.edu.' }),
          ...(isRole(role) ? {} : { role: 'Choose a role.' }),
        })
      }
      const link = await addOperator(operators, c.get('actor'), given.output, role)
      if (link === undefined) {
        return refuse({
          email:
            'An operator with this address already exists. Select “Invite again” in the list to send them another link.',
        })
      }
      return show(c, { invitation: linkOf(link) })
    })
    .post('/operators/:id/role', async (c) => {
      const { role } = await readForm(c, 'role')
      if (!isRole(role))
        return show(c, { message: makeProblem('There is no such role. Nothing was changed.') })
      const outcome = changeRole(operators, c.get('actor'), c.req.param('id'), role)
      return change(c, outcome, `The role is now ${role}, from the operator’s next request on.`)
    })
    .post('/operators/:id/disable', (c) =>
      change(
        c,
        disableOperator(operators, c.get('actor'), c.req.param('id')),
        'Operator disabled and signed out everywhere.',
      ),
    )
    .post('/operators/:id/enable', (c) =>
      change(c, enableOperator(operators, c.get('actor'), c.req.param('id')), 'Operator enabled.'),
    )
    .post('/operators/:id/invite', async (c) => {
      const id = c.req.param('id')
      const link = await makeOperatorLink(operators, c.get('actor'), id, 'invitation')
      return show(
        c,
        link === undefined ? { message: makeProblem(unknown) } : { invitation: linkOf(link) },
      )
    })
}

const unknown = 'This operator doesn’t exist or is disabled. Nothing was changed.'

function toMessage(outcome: ChangeOutcome, success: string): Shown {
  if (outcome === 'changed') return { message: { kind: 'well', heading: success } }
  return {
    message: makeProblem(
      outcome === 'oneself'
        ? 'You can’t change your own role or disable yourself: ask another admin. Nothing was changed.'
        : unknown,
    ),
  }
}
