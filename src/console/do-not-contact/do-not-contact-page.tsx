import { ConsolePage } from '#console/shell/console-page.tsx'
import { type Column, DataTable } from '#console/shell/data-table.tsx'
import { ConfirmPage, EditForm } from '#console/shell/edit-form.tsx'
import { ReasonField } from '#console/shell/forms.tsx'
import { LeadLink } from '#console/shell/lead-link.tsx'
import { useMayDo } from '#console/shell/shell.tsx'
import { Timestamp } from '#console/shell/times.tsx'
import { formatNumber, pluralize } from '#domain/text/formats.ts'
import {
  type makeDoNotContactActions,
  maxListedSentLeads,
  type StopPreview,
} from '#server/delivery/manage-do-not-contact.ts'
import type { TypedContact } from '#server/delivery/parse-do-not-contact.ts'

type Overview = Awaited<ReturnType<ReturnType<typeof makeDoNotContactActions>['overview']>>

/** What the operator typed into a form that the server refused, and the wrong lines of a file. */
export interface RefusedList {
  readonly typed?: TypedContact
  readonly sought?: Readonly<Record<'soughtEmail' | 'soughtPhone', string>>
  readonly removed?: Readonly<Record<'removedEmail' | 'removedPhone' | 'reason', string>>
  readonly pasted?: string
  readonly faults?: readonly { readonly line: number; readonly message: string }[]
}

interface DoNotContactPageProps extends Overview {
  refused: RefusedList
}

/** Shows how long the list is, and which leads had been sent before. The list itself has no readable entries. */
export function DoNotContactPage({ entries, sent, refused }: DoNotContactPageProps) {
  const { typed, sought, removed, pasted, faults = [] } = refused
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
      <h2>Stop contact</h2>
      <EditForm
        permission="stop contact"
        action="/do-not-contact/check"
        name="Stop contact"
        button="Show what it does"
        groups={[{ legend: 'Person who asked', fields: contactFields('email', 'phone') }]}
        values={typed ?? {}}
      />
      <h2>Is somebody on the list?</h2>
      <EditForm
        permission="stop contact"
        action="/do-not-contact/lookup"
        name="Is somebody on the list?"
        button="Look up"
        groups={[{ legend: 'Person', fields: contactFields('soughtEmail', 'soughtPhone') }]}
        values={sought ?? {}}
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
      <AllowForm removed={removed ?? {}} />
      <h2 id="sent">Sent before</h2>
      <p>
        These leads had been sent before their people were listed: tell those who received them.{' '}
        {sent.length === maxListedSentLeads &&
          `The table has the latest ${formatNumber(maxListedSentLeads)}.`}
      </p>
      <DataTable
        name="Sent before"
        columns={sentColumns}
        rows={sent}
        empty="No lead of a listed person had been sent."
      />
    </ConsolePage>
  )
}

function AllowForm({ removed }: { removed: NonNullable<RefusedList['removed']> | object }) {
  if (!useMayDo()('allow contact again')) return null
  return (
    <>
      <h2>Allow contact again</h2>
      <EditForm
        permission="allow contact again"
        needsStepUp
        action="/do-not-contact/allow"
        name="Allow contact again"
        button="Remove from the list"
        groups={[
          {
            legend: 'Person who changed their mind',
            fields: [...contactFields('removedEmail', 'removedPhone'), reasonField],
          },
        ]}
        values={removed}
      />
    </>
  )
}

const contactFields = <Email extends string, Phone extends string>(email: Email, phone: Phone) =>
  [
    { name: email, label: 'Email', type: 'email' },
    { name: phone, label: 'Phone', inputMode: 'numeric' },
  ] as const

const reasonField = {
  name: 'reason',
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

const sentColumns: readonly Column<Overview['sent'][number]>[] = [
  { heading: 'Lead', isUnlabeled: true, cell: ({ id }) => <LeadLink id={id} /> },
  { heading: 'Listed', cell: ({ stoppedAt }) => <Timestamp at={stoppedAt} /> },
  {
    heading: 'Last attempt',
    cell: ({ sentAt }) => (sentAt === null ? 'unknown' : <Timestamp at={Number(sentAt)} />),
  },
  { heading: 'Tell', cell: ({ webhooks }) => ['the distributor', ...webhooks].join(', ') },
]

interface StopContactPageProps {
  preview: StopPreview
  wanted: Readonly<Record<string, string | undefined>>
  back: string
  reason: string | undefined
}

/** Says in numbers what the stop does, before it does it. */
export function StopContactPage({ preview, wanted, back, reason }: StopContactPageProps) {
  const { values, listed, leads, waiting, sending, quarantined, sent } = preview
  return (
    <ConfirmPage
      name="Stop contact"
      heading="No worker sends a lead of this person any more"
      warning={
        <ul>
          <li>
            {pluralize(values, 'email address or phone number', 'email addresses or phone numbers')}{' '}
            will be on the list
            {listed > 0 && `; ${formatNumber(listed)} already ${listed === 1 ? 'is' : 'are'}`}. New
            enquiries with one of them wait in quarantine.
          </li>
          <li>{pluralize(leads, 'stored lead has', 'stored leads have')} one of them.</li>
          {waiting > 0 && (
            <li>{pluralize(waiting, 'waiting lead is', 'waiting leads are')} never sent.</li>
          )}
          {sending > 0 && (
            <li>
              {pluralize(sending, 'lead is', 'leads are')} being sent right now: the answer waits
              for the result.
            </li>
          )}
          {quarantined > 0 && (
            <li>
              {pluralize(quarantined, 'lead stays', 'leads stay')} in quarantine unless an operator
              releases {quarantined === 1 ? 'it' : 'them'}.
            </li>
          )}
          {sent > 0 && (
            <li>
              {pluralize(sent, 'lead was', 'leads were')} sent already: you must tell those who
              received {sent === 1 ? 'it' : 'them'}.
            </li>
          )}
        </ul>
      }
      action="/do-not-contact/stop"
      fields={wanted}
      inputs={<ReasonField value={reason} />}
      button="Stop contact"
      back={back}
    />
  )
}
