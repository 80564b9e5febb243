import { type Credentials, describeCredentials } from '#domain/operator/credentials.ts'
import { type Role, roles } from '#domain/operator/rights.ts'
import { TextField } from '#ui/field.tsx'
import { SelectField } from '#ui/select-field.tsx'
import { ConsolePage, type ConsoleShell } from '../shell/console-page.tsx'
import controls from '../shell/controls.module.css'
import { type Column, DataTable } from '../shell/data-table.tsx'
import { ButtonForm, PostForm, StepUpButton, SubmitButton } from '../shell/forms.tsx'
import { type Message, Notice } from '../shell/message.tsx'
import { OneTimeSecretField } from '../shell/one-time-secret-field.tsx'
import { Timestamp } from '../shell/times.tsx'
import styles from './operators-page.module.css'

export interface OperatorsPageProps extends Omit<OperatorsTableProps, 'token' | 'isReadOnly'> {
  shell: ConsoleShell
  /** A new invitation link, which the page shows only once. */
  invitation?: InvitationLinkProps | undefined
  message?: Message | undefined
  /** The values that the operator typed, if the server refused the form. */
  typed?: InvitationFormProps['typed']
}

export function OperatorsPage(props: OperatorsPageProps) {
  const { shell, operators, ownId, invitation, message, typed } = props
  return (
    <ConsolePage shell={shell} name="Operators" message={message}>
      {invitation && <InvitationLink {...invitation} />}
      {shell.stepUpFor === undefined ? (
        <>
          <h2>Invite an operator</h2>
          <InvitationForm token={shell.token} typed={typed} errors={message?.fields} />
        </>
      ) : (
        <>
          <p>To invite or change operators, confirm it’s you first.</p>
          <StepUpButton returnTo={shell.stepUpFor} button="Confirm it’s you" />
        </>
      )}
      <h2>All operators</h2>
      <OperatorsTable
        token={shell.token}
        operators={operators}
        ownId={ownId}
        isReadOnly={shell.stepUpFor !== undefined}
      />
    </ConsolePage>
  )
}

const permissions: Readonly<Record<Role, string>> = {
  viewer: 'sees leads with personal data masked',
  operator: 'also reveals, retries, settles, releases, pauses',
  admin: 'also exports, erases, manages operators',
}

interface InvitationFormProps {
  token: string
  typed?: { readonly email: string; readonly role: string } | undefined
  errors: Message['fields']
}

function InvitationForm({ token, typed, errors }: InvitationFormProps) {
  return (
    <PostForm className={styles.invite} action="/operators" aria-label="Invitation" token={token}>
      <TextField
        name="email"
        label="Email"
        type="email"
        autoComplete="off"
        error={errors?.email}
        value={typed?.email ?? ''}
      />
      <SelectField
        name="role"
        label="Role"
        error={errors?.role}
        value={typed?.role ?? ''}
        placeholder={{ value: '', text: 'Choose a role' }}
      >
        {roles.map((role) => (
          <option key={role} value={role}>
            {role}: {permissions[role]}
          </option>
        ))}
      </SelectField>
      <SubmitButton look="primary">Create invitation</SubmitButton>
    </PostForm>
  )
}

interface InvitationLinkProps {
  readonly email: string
  readonly link: string
  /** When the link expires, in epoch milliseconds. */
  readonly expiresAt: number
}

const InvitationLink = ({ email, link, expiresAt }: InvitationLinkProps) => (
  <Notice kind="well" heading={`Invitation for ${email}`}>
    <p id="link-holds">
      Send this link only to the invited operator. The link works once, until{' '}
      <Timestamp at={expiresAt} /> (24 hours), and is not shown again. If the link gets lost, select{' '}
      <b>Invite again</b> in the list.
    </p>
    <OneTimeSecretField id="link" label="Link" value={link} describedBy="link-holds" />
  </Notice>
)

interface OperatorRow extends Credentials {
  readonly id: string
  readonly email: string
  readonly role: Role
  readonly disabledAt: number | null
  readonly seenAt: number | null
}

export interface OperatorsTableProps {
  token: string
  operators: readonly OperatorRow[]
  /** The id of the signed-in operator: operators can't change their own role or disable themselves. */
  ownId: string
  /** True if the operator has to confirm their identity first: the table then shows no forms. */
  isReadOnly: boolean
}

export const OperatorsTable = ({ token, operators, ownId, isReadOnly }: OperatorsTableProps) => (
  <DataTable
    name="Operators"
    columns={makeColumns(token, ownId, isReadOnly)}
    rows={operators}
    keyOf={({ id }) => id}
    empty="No operators yet."
  />
)

const makeColumns = (token: string, ownId: string, isReadOnly: boolean): Column<OperatorRow>[] => [
  { heading: 'Email', cell: ({ email }) => <span className={styles.email}>{email}</span> },
  {
    heading: 'Role',
    isWhole: true,
    cell: (row) =>
      row.id === ownId || isReadOnly ? row.role : <RoleForm token={token} {...row} />,
  },
  {
    heading: 'Signs in by',
    cell: (row) => <span className={styles.ways}>{describeCredentials(row) ?? 'nothing yet'}</span>,
  },
  {
    heading: 'Last seen',
    isWhole: true,
    cell: ({ seenAt }) => (seenAt === null ? 'not signed in' : <Timestamp at={seenAt} />),
  },
  {
    heading: 'Status',
    cell: ({ disabledAt, ...row }) =>
      disabledAt === null ? (
        describeCredentials(row) === undefined ? (
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
    isWhole: true,
    cell: (row) => {
      if (row.id === ownId) return 'You'
      return isReadOnly ? null : <AccountActions token={token} {...row} />
    },
  },
]

function RoleForm({ token, id, email, role }: OperatorRow & { token: string }) {
  return (
    <PostForm
      className={controls.inline}
      action={`/operators/${id}/role`}
      aria-label={`The role of ${email}`}
      token={token}
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

function AccountActions({ token, id, email, disabledAt }: OperatorRow & { token: string }) {
  const act = (path: string, button: string, look?: 'danger') => (
    <ButtonForm
      action={`/operators/${id}/${path}`}
      token={token}
      button={button}
      name={`${button}: ${email}`}
      {...(look && { look })}
    />
  )
  return (
    <div className={controls.inline}>
      {disabledAt === null && act('invite', 'Invite again')}
      {disabledAt === null && act('disable', 'Disable', 'danger')}
      {disabledAt !== null && act('enable', 'Enable')}
    </div>
  )
}
