import { ConsolePage, type Shell } from '../shell/console-page.tsx'
import type { Message } from '../shell/page-message.tsx'
import { InvitationForm, type InvitationFormProps } from './invitation-form.tsx'
import { MadeLink, type MadeLinkProps } from './made-link.tsx'
import { OperatorsTable, type OperatorsTableProps } from './operators-table.tsx'

export interface OperatorsPageProps extends Omit<OperatorsTableProps, 'token'> {
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
      <h2>Invite somebody</h2>
      <InvitationForm token={shell.token} typed={typed} errors={message?.fields} />
      <h2>Who may come in</h2>
      <OperatorsTable token={shell.token} operators={operators} ownId={ownId} />
    </ConsolePage>
  )
}
