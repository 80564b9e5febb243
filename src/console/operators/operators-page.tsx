import { ConsolePage, type Shell } from '../shell/console-page.tsx'
import { Notice } from '../shell/notice.tsx'
import { InvitationForm } from './invitation-form.tsx'
import { MadeLink, type MadeLinkProps } from './made-link.tsx'
import { OperatorsTable, type OperatorsTableProps } from './operators-table.tsx'

export interface OperatorsPageProps extends Omit<OperatorsTableProps, 'token'> {
  shell: Shell
  /** A link that was just made: it is shown once. */
  invitation?: MadeLinkProps | undefined
  done?: string | undefined
  problem?: string | undefined
}

export function OperatorsPage(props: OperatorsPageProps) {
  const { shell, operators, ownId, invitation, done, problem } = props
  return (
    <ConsolePage shell={shell} name="Operators">
      {problem !== undefined && <Notice kind="problem" heading={problem} />}
      {done !== undefined && <Notice kind="well" heading={done} />}
      {invitation && <MadeLink {...invitation} />}
      <h2>Invite somebody</h2>
      <InvitationForm token={shell.token} />
      <h2>Who may come in</h2>
      <OperatorsTable token={shell.token} operators={operators} ownId={ownId} />
    </ConsolePage>
  )
}
