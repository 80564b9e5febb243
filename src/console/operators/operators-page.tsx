import { ConfirmFirst } from '../shell/confirm-first.tsx'
import { ConsolePage, type Shell } from '../shell/console-page.tsx'
import type { Message } from '../shell/message.tsx'
import { InvitationForm, type InvitationFormProps } from './invitation-form.tsx'
import { MadeLink, type MadeLinkProps } from './made-link.tsx'
import { OperatorsTable, type OperatorsTableProps } from './operators-table.tsx'

export interface OperatorsPageProps extends Omit<OperatorsTableProps, 'token' | 'isReadOnly'> {
  shell: Shell
  /** A link that was just made: it is shown once. */
  invitation?: MadeLinkProps | undefined
  message?: Message | undefined
  /** As typed, where it was refused. */
  typed?: InvitationFormProps['typed']
}

export function OperatorsPage(props: OperatorsPageProps) {
  const { shell, operators, ownId, invitation, message, typed } = props
  return (
    <ConsolePage shell={shell} name="Operators" message={message}>
      {invitation && <MadeLink {...invitation} />}
      {shell.confirmFor === undefined ? (
        <>
          <h2>Invite an operator</h2>
          <InvitationForm token={shell.token} typed={typed} errors={message?.fields} />
        </>
      ) : (
        <>
          <p>To invite or change operators, confirm it’s you first.</p>
          <ConfirmFirst returnTo={shell.confirmFor} button="Confirm it’s you" />
        </>
      )}
      <h2>All operators</h2>
      <OperatorsTable
        token={shell.token}
        operators={operators}
        ownId={ownId}
        isReadOnly={shell.confirmFor !== undefined}
      />
    </ConsolePage>
  )
}
