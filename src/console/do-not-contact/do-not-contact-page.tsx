import { ConsolePage } from '#console/shell/console-page.tsx'
import type { Column } from '#console/shell/data-table.tsx'
import { ConfirmPage, EditForm } from '#console/shell/edit-form.tsx'
import { ButtonForm, ReasonField } from '#console/shell/forms.tsx'
import { LeadLink } from '#console/shell/lead-link.tsx'
import { useMayDo, useShell } from '#console/shell/shell.tsx'
import { SortableTable } from '#console/shell/sortable-table.tsx'
import { Timestamp } from '#console/shell/times.tsx'
import { formatIsoTime } from '#domain/calendar.ts'
import { formatNumber, pluralize } from '#domain/text/formats.ts'
import {
  describePreview,
  type makeDoNotContactActions,
  maxListedSentLeads,
  type StopPreview,
} from '#server/delivery/manage-do-not-contact.ts'
import type { TypedContact } from '#server/delivery/parse-do-not-contact.ts'

type Overview = Awaited<ReturnType<ReturnType<typeof makeDoNotContactActions>['overview']>>

/** What the operator typed into a form that the server refused, and the wrong lines of a file. */
export interface RefusedList {
  readonly typed?: TypedContact
  readonly pasted?: string
  readonly faults?: readonly { readonly line: number; readonly message: string }[]
}

const maxShown = 200

interface DoNotContactPageProps extends Overview {
  refused: RefusedList
}

/** Shows how long the list is, and which leads had been sent before. The list itself has no readable entries. */
export function DoNotContactPage({ entries, sent, refused }: DoNotContactPageProps) {
  const { typed, pasted, faults = [] } = refused
  const mayDo = useMayDo()
  const { zone } = useShell()
  return (
    <ConsolePage name="Do not contact">
      <p>
        The list has {pluralize(entries, 'email address or phone number', 'entries')}. An enquiry of
        a listed person waits in <a href="/quarantine">quarantine</a>, and no worker sends a lead
        that came before. The store keeps only keyed hashes, so nobody can read the list.
      </p>
      {faults.length > 0 && (
        <ul aria-label="Wrong lines">
          {faults.map(({ line, message }) => (
            <li key={`${line} ${message}`}>
              Line {line}: {message}
            </li>
          ))}
        </ul>
      )}
      <h2>A person</h2>
      <EditForm
        permission="stop contact"
        action="/do-not-contact/check"
        name="A person"
        button="Look up"
        groups={[{ fields: contactFields }]}
        values={typed ?? {}}
      />
      <h2>Import</h2>
      <EditForm
        permission="stop contact"
        action="/do-not-contact/import"
        name="Import people"
        button="Import"
        groups={[{ fields: importFields }]}
        values={{ pasted: pasted ?? '' }}
      />
      <h2 id="sent">Sent before</h2>
      <p>
        These leads had been sent before their people were listed: tell those who received them.{' '}
        {sent.length === maxListedSentLeads &&
          `The file has ${formatNumber(maxListedSentLeads)} of them.`}
      </p>
      <SortableTable
        name="Sent before"
        columns={makeSentColumns(zone, mayDo('stop contact'))}
        rows={sent}
        keyOf={({ id }) => id}
        maxRows={maxShown}
        empty="No lead of a listed person had been sent."
      />
    </ConsolePage>
  )
}

const contactFields = [
  { name: 'email', label: 'Email', type: 'email' },
  {
    name: 'phone',
    label: 'Phone',
    inputMode: 'numeric',
    hint: 'The next page says whether the person is on the list, and what a stop does.',
  },
] as const

const reasonField = {
  name: 'allowReason',
  label: 'Reason',
  hint: 'Optional. The audit log keeps the reason permanently: don’t include names.',
} as const

const importFields = [
  {
    name: 'file',
    label: 'File',
    type: 'file',
    hint: 'Choose a CSV file with email addresses, phone numbers or their SHA-256 hashes, in columns named email, phone, mobile, cell or sha256. If any line is wrong, the server imports nothing.',
  },
  { name: 'pasted', label: 'Or paste the file’s lines', type: 'lines' },
] as const

const makeSentColumns = (
  zone: string,
  mayMark: boolean,
): readonly Column<Overview['sent'][number]>[] => [
  {
    heading: 'Lead',
    isUnlabeled: true,
    cell: ({ id }) => <LeadLink id={id} />,
    value: ({ id }) => id,
  },
  makeTimeColumn('Listed', zone, ({ stoppedAt }) => stoppedAt),
  makeTimeColumn('Last attempt', zone, ({ sentAt }) => sentAt),
  { heading: 'Tell', cell: ({ receivers }) => receivers.join(', ') },
  {
    heading: 'Told',
    cell: ({ id, toldAt }) =>
      toldAt !== null ? (
        <Timestamp at={toldAt} />
      ) : (
        mayMark && (
          <ButtonForm
            action="/do-not-contact/told"
            button="Mark as told"
            name={`Mark as told: ${id}`}
            fields={{ id }}
          />
        )
      ),
    value: ({ toldAt }) => toldAt && formatIsoTime(toldAt, zone),
  },
  { heading: 'Told by', cell: ({ toldBy }) => toldBy },
]

const makeTimeColumn = <Row,>(
  heading: string,
  zone: string,
  find: (row: Row) => number | string | null,
): Column<Row> => ({
  heading,
  cell: (row) => {
    const at = find(row)
    return at === null ? null : <Timestamp at={Number(at)} />
  },
  value: (row) => {
    const at = find(row)
    return at === null ? null : formatIsoTime(Number(at), zone)
  },
})

interface StopContactPageProps {
  preview: StopPreview
  wanted: Readonly<Record<string, string | undefined>>
  /** Since when each value that the operator typed is on the list, in words; undefined for a lead or a search. */
  listed: string | undefined
  back: string
  reason: string | undefined
}

/** Says in numbers what the stop does, before it does it. */
export function StopContactPage({ preview, wanted, listed, back, reason }: StopContactPageProps) {
  const mayAllow = useMayDo()('allow contact again') && listed?.includes('since')

  return (
    <ConfirmPage
      name="Stop contact"
      heading="No worker sends a lead of this person any more"
      warning={
        <ul>
          {describePreview(preview).map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ul>
      }
      action="/do-not-contact/stop"
      fields={wanted}
      inputs={<ReasonField value={reason} />}
      button="Stop contact"
      back={back}
    >
      {listed && <p>{listed}.</p>}
      {mayAllow && (
        <section>
          <h2>Allow contact again</h2>
          <EditForm
            permission="allow contact again"
            needsStepUp
            action="/do-not-contact/allow"
            name="Allow contact again"
            button="Remove from the list"
            groups={[{ fields: [reasonField] }]}
            values={{}}
            hidden={wanted}
          />
          <h2>Stop contact</h2>
        </section>
      )}
    </ConfirmPage>
  )
}
