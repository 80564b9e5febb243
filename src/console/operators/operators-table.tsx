import { type Credentials, describeCredentials } from '#domain/operator/credentials.ts'
import { type Role, roles } from '#domain/operator/role.ts'
import controls from '../shell/controls.module.css'
import { type Column, DataTable } from '../shell/data-table.tsx'
import { ButtonForm, PostForm, SubmitButton } from '../shell/forms.tsx'
import { Timestamp } from '../shell/times.tsx'
import styles from './operators-page.module.css'

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
