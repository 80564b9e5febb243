import { ConfirmPage } from '#console/shell/confirm-page.tsx'
import { ConsolePage } from '#console/shell/console-page.tsx'
import controls from '#console/shell/controls.module.css'
import { type Column, DataTable, makeNumberColumn } from '#console/shell/data-table.tsx'
import { EditForm, type FieldGroup } from '#console/shell/edit-form.tsx'
import { ButtonForm } from '#console/shell/forms.tsx'
import { useMayDo } from '#console/shell/shell.tsx'
import { Timestamp } from '#console/shell/times.tsx'
import {
  type Cap,
  type CapFormValues,
  type CapRelease,
  capPeriods,
  describeLimits,
  describeRelease,
  describeScope,
  formatTimeOfDay,
  type ScopedCap,
} from '#domain/delivery/cap.ts'
import type { Message } from '#domain/operator/messages.ts'
import { formatNumber } from '#domain/text/format-numbers.ts'
import { pluralize } from '#domain/text/pluralize.ts'
import styles from './caps-page.module.css'

interface CapRow extends ScopedCap {
  readonly id: string
  /** The number of leads that count against the cap in the current period. */
  readonly used: number
  readonly held: number
  /** When the cap's current period ends, in epoch milliseconds. */
  readonly until: number
  /** Whether the distributor has answered this month that the distributor's own cap is reached. */
  readonly isFull: boolean
}

export interface CapsPageProps {
  caps: readonly CapRow[]
  programs: readonly { readonly id: number; readonly name: string }[]
  affiliates: readonly { readonly id: string; readonly name: string }[]
  /** The school's time zone, such as `America/New_York`. */
  zone: string
  message?: Message | undefined
  /** The id of the cap that the form changes; undefined if the form adds a cap. */
  edited?: string | undefined
  texts: CapFormValues
}

export function CapsPage(props: CapsPageProps) {
  const { caps, programs, zone, message, edited } = props
  const mayDo = useMayDo()
  const mayChange = mayDo('change caps')
  return (
    <ConsolePage name="Caps" message={message}>
      <p>
        A cap limits the leads that the workers send to the distributor. The server stores every
        lead. A worker holds a lead until every cap that applies to the lead allows it. Days, months
        and hours follow the school’s time zone, {zone}. The column Status shows times in your own
        time zone.
      </p>
      <DataTable
        name="Caps"
        columns={[
          ...makeCapColumns(programs),
          ...(mayChange ? [makeCapActionsColumn(programs)] : []),
        ]}
        rows={caps}
        empty="There are no caps: every lead is sent at once."
      />
      {mayChange && (
        <>
          <h2 id="edit">{edited === undefined ? 'Add a cap' : 'Change the cap'}</h2>
          <EditForm
            permission="change caps"
            action="/caps"
            name="Cap"
            button="Save the cap"
            className={styles.form}
            groups={makeCapFieldGroups(props)}
            values={props.texts}
            errors={message?.fields}
            hidden={{ id: edited }}
          />
          {edited !== undefined && <a href="/caps">Add another cap instead</a>}
        </>
      )}
    </ConsolePage>
  )
}

interface DeleteCapPageProps extends Pick<CapsPageProps, 'programs'> {
  cap: CapRow
  release: CapRelease
}

/** Asks the admin to confirm the deletion of a cap, because the workers send the leads that it holds. */
export const DeleteCapPage = ({ programs, cap, release }: DeleteCapPageProps) => (
  <ConfirmPage
    name="Delete this cap"
    warning={<p>{describeRelease(release)}</p>}
    action={`/caps/${cap.id}/remove`}
    button="Delete the cap"
    back="/caps"
  >
    <p>
      The cap applies to {describeScope(cap, programs)}: {describeLimits(cap)}. It has counted{' '}
      {pluralize(cap.used, 'lead')} since the {cap.period} began.
    </p>
  </ConfirmPage>
)

const makeCapColumns = (programs: CapsPageProps['programs']): readonly Column<CapRow>[] => [
  { heading: 'Applies to', isWide: true, cell: (cap) => describeScope(cap, programs) },
  { heading: 'Limit', isWide: true, cell: describeLimits },
  {
    heading: 'Used',
    isOneLine: true,
    cell: ({ used, maxLeads }) =>
      maxLeads === null ? used : `${formatNumber(used)} of ${formatNumber(maxLeads)}`,
  },
  {
    heading: 'Status',
    cell: ({ used, maxLeads, isFull, until }) =>
      isFull ? (
        'full until the month ends: the distributor says that its cap is reached. To send earlier, save this cap again.'
      ) : maxLeads !== null && used >= maxLeads ? (
        <span>
          full until <Timestamp at={until} />
        </span>
      ) : (
        'open'
      ),
  },
  makeNumberColumn('Held', ({ id, held }) =>
    held === 0 ? held : <a href={`/leads?held=${id}`}>{formatNumber(held)}</a>,
  ),
]

const makeCapActionsColumn = (programs: CapsPageProps['programs']): Column<CapRow> => ({
  heading: 'Actions',
  isOneLine: true,
  cell: (cap) => (
    <div className={controls.inline}>
      <a className={controls.button} href={`/caps?edit=${cap.id}#edit`}>
        Change<span className="visually-hidden"> {describeScope(cap, programs)}</span>
      </a>
      <ButtonForm
        method="get"
        action={`/caps/${cap.id}/remove`}
        button="Delete"
        name={`Delete the cap: ${describeScope(cap, programs)}, ${describeLimits(cap)}`}
        variant="danger"
      />
    </div>
  ),
})

const makeCapFieldGroups = ({
  programs,
  affiliates,
  message,
}: CapsPageProps): readonly FieldGroup<keyof CapFormValues>[] => [
  {
    legend: 'Which leads',
    fields: [
      {
        name: 'program',
        label: 'Program',
        empty: 'Any program',
        options: programs.map(({ id, name }) => ({ value: `${id}`, text: name })),
      },
      ...(affiliates.length > 0 || message?.fields?.affiliate
        ? [
            {
              name: 'affiliate' as const,
              label: 'Affiliate',
              empty: 'Any affiliate',
              options: affiliates.map(({ id, name }) => ({ value: id, text: name })),
            },
          ]
        : []),
      { name: 'state', label: 'State', hint: 'Leave this field empty for all states.' },
    ],
  },
  {
    legend: 'When workers send the leads',
    fields: [
      { name: 'maxLeads', label: 'Leads at most', inputMode: 'numeric' },
      {
        name: 'period',
        label: 'Per',
        empty: 'Choose a period',
        isRequired: true,
        options: capPeriods.map((period) => ({ value: period, text: period })),
      },
      { name: 'blockedStates', label: 'Not in these states', hint: 'For example CA, TX.' },
      { name: 'opensAt', label: 'From', hint: 'For example 08:00.' },
      { name: 'closesAt', label: 'To', hint: 'For example 18:00.' },
    ],
  },
  {
    legend: 'The distributor’s monthly cap',
    fields: [
      {
        name: 'followsDistributor',
        type: 'checkbox',
        label:
          'When the distributor answers that its monthly cap is reached, hold these leads until the month ends',
      },
    ],
  },
]

export const toCapFormValues = (cap: Cap): CapFormValues => ({
  program: `${cap.program ?? ''}`,
  affiliate: cap.affiliateId ?? '',
  state: cap.state ?? '',
  maxLeads: `${cap.maxLeads ?? ''}`,
  period: cap.period,
  opensAt: formatTimeOfDay(cap.opensAt),
  closesAt: formatTimeOfDay(cap.closesAt),
  blockedStates: cap.blockedStates.join(', '),
  followsDistributor: cap.followsDistributor ? 'on' : '',
})
