import { Hono } from 'hono'
import * as v from 'valibot'
import { OperatorsPage, type OperatorsPageProps } from '#console/operators/operators-page.tsx'
import { html } from '#console/render.ts'
import type { Message } from '#console/shell/message.tsx'
import { isRole } from '#domain/operator/role.ts'
import type { ChangeOutcome, ManageOperators } from '#server/operators/manage-operators.ts'
import type { ConsoleContext, ConsoleEnv } from './console-env.ts'
import { invitationPath } from './invitation.tsx'
import { readForm } from './read-form.ts'
import type { ShellOf } from './shell-of.ts'

export interface OperatorsPorts {
  readonly shellOf: ShellOf
  readonly manageOperators: ManageOperators
  readonly origin: () => string
}

type Said = Pick<OperatorsPageProps, 'message' | 'typed' | 'invitation'>

const email = v.pipe(v.string(), v.trim(), v.email())

export function operators({ shellOf, manageOperators, origin }: OperatorsPorts) {
  const show = async (c: ConsoleContext, said: Said = {}) => {
    const actor = c.get('actor')
    const list = await manageOperators.list(actor)
    const page = <OperatorsPage shell={shellOf(c)} operators={list} ownId={actor.id} {...said} />
    return c.html(html(page), said.message?.kind === 'problem' ? 422 : 200)
  }
  const change = async (c: ConsoleContext, outcome: Promise<ChangeOutcome>, done: string) =>
    show(c, saidOf(await outcome, done))
  const linkOf = (email: string, { code, expiresAt }: { code: string; expiresAt: number }) => ({
    email,
    link: `${origin()}${invitationPath}?code=${code}`,
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
      const outcome = await manageOperators.add(c.get('actor'), given.output, role)
      if (outcome.kind === 'known') {
        return refuse({
          email:
            'There is an operator with this address already. “Invite again” in the list makes another link for them.',
        })
      }
      return show(c, { invitation: linkOf(outcome.operator.email, outcome) })
    })
    .post('/operators/:id/role', async (c) => {
      const { role } = await readForm(c, 'role')
      if (!isRole(role)) return show(c, problem('There is no such role. Nothing was changed.'))
      const outcome = manageOperators.setRole(c.get('actor'), c.req.param('id'), role)
      return change(c, outcome, `The role is ${role} now, from the next page on.`)
    })
    .post('/operators/:id/disable', (c) =>
      change(
        c,
        manageOperators.disable(c.get('actor'), c.req.param('id')),
        'Disabled, and signed out everywhere.',
      ),
    )
    .post('/operators/:id/enable', (c) =>
      change(c, manageOperators.enable(c.get('actor'), c.req.param('id')), 'Enabled.'),
    )
    .post('/operators/:id/invite', async (c) => {
      const id = c.req.param('id')
      const outcome = await manageOperators.link(c.get('actor'), id, 'invitation')
      if (outcome.kind !== 'made') return show(c, problem(unknown))
      return show(c, { invitation: linkOf(outcome.email, outcome) })
    })
}

const unknown = 'There is no such operator, or they are disabled. Nothing was changed.'

const problem = (heading: string): Said => ({ message: { kind: 'problem', heading } })

function saidOf({ kind }: ChangeOutcome, done: string): Said {
  if (kind === 'changed') return { message: { kind: 'well', heading: done } }
  return problem(
    kind === 'oneself'
      ? 'One’s own role is changed by another admin. Nothing was changed.'
      : unknown,
  )
}
