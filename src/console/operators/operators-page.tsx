import { ConsolePage } from '#console/shell/console-page.tsx'
import controls from '#console/shell/controls.module.css'
import { type Column, DataTable } from '#console/shell/data-table.tsx'
import { EditForm, type FieldGroup } from '#console/shell/edit-form.tsx'
import { ButtonForm, OneTimeSecret, PostForm, SubmitButton } from '#console/shell/forms.tsx'
import { useNeedsStepUp } from '#console/shell/shell.tsx'
import { Timestamp } from '#console/shell/times.tsx'
import { type Credentials, describeCredentials } from '#domain/operator/credentials.ts'
import { type Role, roles } from '#domain/operator/permissions.ts'
import styles from './operators-page.module.css'

export interface OperatorsPageProps {
  operators: readonly OperatorRow[]
  /** The id of the signed-in operator. Operators can't change their own role or disable themselves. */
  ownId: string
  /** A new invitation link, which the page shows only once. */
  invitation?: InvitationLinkProps | undefined
  /** The values that the operator typed, if the server refused the form. */
  typed?: { readonly email: string; readonly role: string } | undefined
}

export function OperatorsPage(props: OperatorsPageProps) {
  const { operators, ownId, invitation, typed } = props
  const needsStepUp = useNeedsStepUp()
  return (
    <ConsolePage name="Operators">
      {invitation && <InvitationLink {...invitation} />}
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
  operator: 'also reveals, retries, settles and releases leads, and pauses deliveries',
  admin: 'also exports and erases leads, and manages operators',
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

interface InvitationLinkProps {
  readonly email: string
  readonly link: string
  /** When the link expires, in epoch milliseconds. */
  readonly expiresAt: number
}

const InvitationLink = ({ email, link, expiresAt }: InvitationLinkProps) => (
  <OneTimeSecret heading={`Invitation for ${email}`} label="Link" secret={link}>
    Send this link only to the invited operator. The link works once, until{' '}
    <Timestamp at={expiresAt} /> (24 hours), and is not shown again. If the link gets lost, select{' '}
    <b>Invite again</b> in the list.
  </OneTimeSecret>
)

interface OperatorRow extends Credentials {
  readonly id: string
  readonly email: string
  readonly role: Role
  readonly disabledAt: number | null
  readonly seenAt: number | null
}

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
