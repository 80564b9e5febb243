import type { ConsoleContext } from '#console/console-services.ts'
import { showError } from '#console/requests/render-pages.tsx'
import controls from '#console/shell/controls.module.css'
import { ButtonForm } from '#console/shell/forms.tsx'
import { useMayDo } from '#console/shell/shell.tsx'
import { type ManualSettlement, manualSettlements } from '#domain/delivery/delivery.ts'
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

export function LeadActions({ view }: { view: LeadView }) {
  const { record, isRevealed } = view
  const mayDo = useMayDo()
  const at = `/leads/${record.lead.id}`
  const actionForm = (path: string, button: string) => (
    <ButtonForm
      id={`act-${path}`}
      action={`${at}/${path}`}
      button={button}
      name={`${button} this lead`}
    />
  )
  return (
    <div className={controls.acts}>
      {isRevealed && <a href={at}>Hide the person’s data again</a>}
      {isErasable(record) &&
        !isRevealed &&
        mayDo('reveal a lead') &&
        actionForm('reveal', 'Reveal')}
      {isRetryable(record) && mayDo('retry deliveries') && actionForm('retry', 'Retry')}
      {record.status === 'quarantined' &&
        mayDo('release leads') &&
        actionForm('release', 'Release')}
      {listPossibleSettlements(record).length > 0 && mayDo('settle deliveries') && (
        <ButtonForm
          method="get"
          action={`${at}/settle`}
          button="Settle"
          name="Settle this lead by hand"
        />
      )}
      {'email' in record.lead && mayDo('stop contact') && (
        <ButtonForm
          method="get"
          action="/do-not-contact/stop"
          button="Stop contact"
          fields={{ lead: record.lead.id }}
        />
      )}
      {isErasable(record) && mayDo('erase leads') && (
        <ButtonForm
          method="get"
          action={`${at}/erase`}
          button="Erase"
          name="Erase this lead"
          variant="danger"
        />
      )}
    </div>
  )
}
