import { Hono } from 'hono'
import * as v from 'valibot'
import type { ConsoleContext, ConsoleEnv, ConsoleServices } from '#console/console-services.ts'
import { readForm } from '#console/requests/read-form.ts'
import { ConsolePage } from '#console/shell/console-page.tsx'
import controls from '#console/shell/controls.module.css'
import { type Column, DataTable } from '#console/shell/data-table.tsx'
import { EditForm, type FieldGroup } from '#console/shell/edit-form.tsx'
import { ButtonForm, OneTimeSecret, PostForm, SubmitButton } from '#console/shell/forms.tsx'
import { useNeedsStepUp } from '#console/shell/shell.tsx'
import { Timestamp } from '#console/shell/times.tsx'
import { invitationPath } from '#console/sign-in/invitation-page.tsx'
import { describeCredentials } from '#domain/operator/credentials.ts'
import {
  type Message,
  makeFieldMessage,
  makeProblemMessage,
  makeSuccessMessage,
} from '#domain/operator/messages.ts'
import { isRole, type Role, roles } from '#domain/operator/permissions.ts'
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
import styles from './operators-page.module.css'

interface FormResult {
  readonly message?: Message
  /** A new invitation, whose link the page shows only once. */
  readonly invitation?: OperatorLink
  /** The values that the operator typed, if the server refused the form. */
  readonly typed?: { readonly email: string; readonly role: string }
}

const emailShape = v.pipe(v.string(), v.trim(), v.email())

export function operatorRoutes({ operators }: ConsoleServices) {
  const show = async (c: ConsoleContext, { message, ...result }: FormResult = {}) => {
    const actor = c.get('actor')
    const page = { operators: await listOperators(operators, actor), origin: operators.origin() }
    return c.render(<OperatorsPage ownId={actor.id} {...page} {...result} />, message)
  }
  const showOutcome = (c: ConsoleContext, outcome: AccountChangeOutcome, success: string) =>
    show(c, { message: outcome === 'changed' ? makeSuccessMessage(success) : problems[outcome] })

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
        : show(c, { invitation: link })
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
        : show(c, { invitation: link })
    })
}

const problems = {
  unchanged: makeProblemMessage('Nothing was changed.'),
  unknown: makeProblemMessage('This operator doesn’t exist or is disabled. Nothing was changed.'),
  oneself: makeProblemMessage(
    'You can’t change your own role or disable yourself: ask another admin. Nothing was changed.',
  ),
}

interface OperatorsPageProps extends Omit<FormResult, 'message'> {
  operators: readonly OperatorRow[]
  /** The id of the signed-in operator. Operators can't change their own role or disable themselves. */
  ownId: string
  origin: string
}

function OperatorsPage({ operators, ownId, origin, invitation, typed }: OperatorsPageProps) {
  const needsStepUp = useNeedsStepUp()
  return (
    <ConsolePage name="Operators">
      {invitation && (
        <OneTimeSecret
          heading={`Invitation for ${invitation.operator.email}`}
          label="Link"
          secret={`${origin}${invitationPath}?code=${invitation.code}`}
        >
          Send this link only to the invited operator. The link works once, until{' '}
          <Timestamp at={invitation.expiresAt} /> (24 hours), and is not shown again. If the link
          gets lost, select <b>Invite again</b> in the list.
        </OneTimeSecret>
      )}
      <h2>Invite an operator</h2>
      <EditForm
        permission="manage operators"
        needsStepUp
        action="/operators"
        name="Invitation"
        button="Create invitation"
        className={styles.invite}
        groups={invitationFields}
        values={typed ?? {}}
      />
      <h2>All operators</h2>
      <DataTable
        name="Operators"
        columns={makeOperatorColumns(needsStepUp, ownId)}
        rows={operators}
        empty="No operators yet."
      />
    </ConsolePage>
  )
}

const permissions: Readonly<Record<Role, string>> = {
  viewer: 'sees leads with personal data masked',
  operator:
    'also reveals, retries, settles and releases leads, stops contact, and pauses deliveries',
  admin:
    'also exports and erases leads, and changes caps, affiliates, money, webhooks and operators',
}

const invitationFields: readonly FieldGroup<'email' | 'role'>[] = [
  {
    fields: [
      { name: 'email', label: 'Email', type: 'email', isRequired: true },
      {
        name: 'role',
        label: 'Role',
        empty: 'Choose a role',
        isRequired: true,
        options: roles.map((role) => ({ value: role, text: `${role}: ${permissions[role]}` })),
      },
    ],
  },
]

type OperatorRow = Awaited<ReturnType<typeof listOperators>>[number]

/** The table shows no forms until the signed-in admin confirms their identity. */
const makeOperatorColumns = (needsStepUp: boolean, ownId: string): Column<OperatorRow>[] => [
  { heading: 'Email', cell: ({ email }) => <span className={styles.email}>{email}</span> },
  {
    heading: 'Role',
    isOneLine: true,
    cell: (row) => (row.id === ownId || needsStepUp ? row.role : <RoleForm {...row} />),
  },
  {
    heading: 'Signs in by',
    cell: (row) => (
      <span className={styles.methods}>{describeCredentials(row) ?? 'nothing yet'}</span>
    ),
  },
  {
    heading: 'Last seen',
    isOneLine: true,
    cell: ({ seenAt }) => (seenAt === null ? 'not signed in' : <Timestamp at={seenAt} />),
  },
  {
    heading: 'Status',
    cell: ({ disabledAt, seenAt }) =>
      disabledAt === null ? (
        seenAt === null ? (
          'invited'
        ) : (
          'active'
        )
      ) : (
        <>
          disabled since <Timestamp at={disabledAt} />
        </>
      ),
  },
  {
    heading: 'Actions',
    isOneLine: true,
    cell: (row) => {
      if (row.id === ownId) return 'You'
      return !needsStepUp && <AccountActions {...row} />
    },
  },
]

function RoleForm({ id, email, role }: OperatorRow) {
  return (
    <PostForm
      className={controls.inline}
      action={`/operators/${id}/role`}
      aria-label={`The role of ${email}`}
    >
      <select
        className={controls.input}
        name="role"
        defaultValue={role}
        aria-label={`Role of ${email}`}
      >
        {roles.map((name) => (
          <option key={name}>{name}</option>
        ))}
      </select>
      <SubmitButton>Change</SubmitButton>
    </PostForm>
  )
}

function AccountActions({ id, email, disabledAt }: OperatorRow) {
  const actionForm = (path: string, button: string, variant?: 'danger') => (
    <ButtonForm
      action={`/operators/${id}/${path}`}
      button={button}
      name={`${button}: ${email}`}
      variant={variant}
    />
  )
  return (
    <div className={controls.inline}>
      {disabledAt === null && actionForm('invite', 'Invite again')}
      {disabledAt === null && actionForm('disable', 'Disable', 'danger')}
      {disabledAt !== null && actionForm('enable', 'Enable')}
    </div>
  )
}
