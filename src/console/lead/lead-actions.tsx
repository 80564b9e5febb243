import type { ComponentProps } from 'react'
import type { ConsoleContext } from '#console/console-services.ts'
import { showError } from '#console/requests/render-pages.tsx'
import controls from '#console/shell/controls.module.css'
import { ButtonForm } from '#console/shell/forms.tsx'
import { useMayDo } from '#console/shell/shell.tsx'
import { type ManualSettlement, manualSettlements } from '#domain/delivery/delivery.ts'
import type { Permission } from '#domain/operator/permissions.ts'
import type { LeadView, VisibleLeadDetails } from '#server/leads/view-lead.ts'

export const makeLeadPath = (id: string): string => `/leads/${encodeURIComponent(id)}`

export const showUnknownLead = (c: ConsoleContext) =>
  showError(
    c,
    'No such lead',
    'There is no lead with this id. If a visitor told you a reference of eight characters, search for the reference on the page Leads.',
    404,
  )

/** Returns whether the store has data about the person. After the retention period, the consent's IP address remains. */
export const isErasable = ({ lead }: VisibleLeadDetails): boolean =>
  !('erasedAt' in lead) || lead.erasedBy === 'retention'

const isRetryable = ({ status }: VisibleLeadDetails): boolean =>
  status === 'pending' || status === 'dead' || status === 'rejected' || status === 'do-not-contact'

/** Returns whether the console asks before a release: the person is on the list *Do not contact*. */
export const mustAskBeforeRelease = (view: LeadView | undefined): view is LeadView =>
  view?.record.status === 'quarantined' && view.listedAt !== undefined

/** Lists the statuses that an operator may give a lead by hand, after asking the distributor. */
export const listPossibleSettlements = (record: VisibleLeadDetails): readonly ManualSettlement[] =>
  isRetryable(record) ? manualSettlements.filter((as) => as !== record.status) : []

export function LeadActions({ view: { record, isRevealed } }: { view: LeadView }) {
  const { id } = record.lead
  const at = `/leads/${id}`
  const mayDo = useMayDo()
  const act = (
    permission: Permission,
    button: string,
    isPossible: boolean,
    more: Partial<ComponentProps<typeof ButtonForm>> = {},
  ) =>
    isPossible &&
    mayDo(permission) && (
      <ButtonForm
        id={`act-${button.toLowerCase().replace(' ', '-')}`}
        action={`${at}/${button.toLowerCase()}`}
        button={button}
        name={`${button} this lead`}
        {...more}
      />
    )
  const ask = { method: 'get' } as const
  const stop = {
    ...ask,
    action: '/do-not-contact/stop',
    name: 'Stop contact',
    fields: { lead: id },
  }
  const canSettle = listPossibleSettlements(record).length > 0
  return (
    <div className={controls.acts}>
      {isRevealed && <a href={at}>Hide the person’s data again</a>}
      {act('reveal a lead', 'Reveal', isErasable(record) && !isRevealed)}
      {act('retry deliveries', 'Retry', isRetryable(record))}
      {act('release leads', 'Release', record.status === 'quarantined')}
      {act('settle deliveries', 'Settle', canSettle, { ...ask, name: 'Settle this lead by hand' })}
      {act('stop contact', 'Stop contact', 'email' in record.lead, stop)}
      {act('erase leads', 'Erase', isErasable(record), { ...ask, variant: 'danger' })}
    </div>
  )
}
