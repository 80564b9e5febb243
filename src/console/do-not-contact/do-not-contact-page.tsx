import choices from '#console/shell/choices.module.css'
import { ConsolePage } from '#console/shell/console-page.tsx'
import type { Column } from '#console/shell/data-table.tsx'
import { ConfirmPage, EditForm } from '#console/shell/edit-form.tsx'
import { ButtonForm, ReasonField, StepUpButton, SubmitButton } from '#console/shell/forms.tsx'
import { LeadLink, LeadLinks, ShortReference } from '#console/shell/lead-link.tsx'
import { useMayDo, useNeedsStepUp } from '#console/shell/shell.tsx'
import { makeTimeColumn, SortableTable } from '#console/shell/sortable-table.tsx'
import { Timestamp } from '#console/shell/times.tsx'
import { maskEmail, maskPhone } from '#domain/lead/personal-values.ts'
import { toReference } from '#domain/lead/reference.ts'
import { formatNumber, pluralize } from '#domain/text/formats.ts'
import {
  describePreview,
  type makeDoNotContactActions,
  maxListedSentLeads,
  type StopPreview,
} from '#server/delivery/manage-do-not-contact.ts'
import type { TypedContact } from '#server/delivery/parse-do-not-contact.ts'
import { CheckboxField } from '#ui/select-field.tsx'

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
        columns={makeSentColumns(mayDo('stop contact'))}
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

const importFields = [
  {
    name: 'file',
    label: 'File',
    type: 'file',
    hint: 'Choose a CSV file with email addresses, phone numbers or their SHA-256 hashes, in columns whose headings begin with email, phone, mobile, cell, sha256 or hash. If any line is wrong, the server imports nothing.',
  },
  { name: 'pasted', label: 'Or paste the file’s lines', type: 'lines' },
] as const

const makeSentColumns = (mayMark: boolean): readonly Column<Overview['sent'][number]>[] => [
  {
    heading: 'Lead',
    isUnlabeled: true,
    cell: ({ id }) => <LeadLink id={id} />,
    value: ({ id }) => toReference(id),
  },
  { heading: 'Id', cell: ({ id }) => <ShortReference id={id} />, value: ({ id }) => id },
  makeTimeColumn('Listed', ({ stoppedAt }) => stoppedAt),
  makeTimeColumn('Last attempt', ({ sentAt }) => sentAt),
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
    isTime: true,
    value: ({ toldAt }) => toldAt,
  },
  { heading: 'Told by', cell: ({ toldBy }) => toldBy },
]

interface StopContactPageProps {
  preview: StopPreview
  wanted: Readonly<Record<string, string | undefined>>
  /** Since when each value that the operator typed is on the list, in words; undefined for a lead or a search. */
  listed: string | undefined
  back: string
  reason: string | undefined
  /** The keys of the other contacts that the operator has cleared. */
  except: readonly string[]
}

/** More checkboxes would make a form that nobody reads. */
const maxOthers = 100

/** Says in numbers what the stop does, before it does it. */
export function StopContactPage(props: StopContactPageProps) {
  const { preview, wanted, listed, back, reason, except } = props
  const mayAllow = useMayDo()('allow contact again') && preview.listed > 0
  const mustConfirm = useNeedsStepUp()
  const others = preview.others.slice(0, maxOthers)
  return (
    <ConfirmPage
      name={listed ?? 'Stop contact'}
      heading="After a stop, no worker sends a lead of this person"
      warning={
        <ul>
          {describePreview(preview).map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ul>
      }
      action="/do-not-contact/stop"
      fields={{ ...wanted, found: others.map(({ key }) => key).join(' ') }}
      inputs={
        <>
          {others.length > 0 && (
            <OtherContacts {...{ others, except }} of={preview.others.length} />
          )}
          <ReasonField value={reason} />
        </>
      }
      button={preview.listed === preview.values ? 'Stop contact again' : 'Stop contact'}
      other={
        mayAllow &&
        !mustConfirm && (
          <SubmitButton formAction="/do-not-contact/allow">Allow contact again</SubmitButton>
        )
      }
      back={back}
    >
      {mayAllow && mustConfirm && (
        <>
          <StepUpButton button="Confirm it’s you to allow contact again" />
          <p>Afterwards, {listed ? 'look the person up again' : 'you return to this page'}.</p>
        </>
      )}
    </ConfirmPage>
  )
}

/** Shows which other contacts the stop lists: one of them may be a stranger's, typed by mistake or on purpose. */
const OtherContacts = ({
  others,
  of,
  except,
}: Pick<StopPreview, 'others'> & Pick<StopContactPageProps, 'except'> & { of: number }) => (
  <fieldset className={choices.choices}>
    <legend>
      Other email addresses and phone numbers in the leads
      {of > others.length && `: ${others.length} of ${formatNumber(of)}, which are all listed`}
    </legend>
    <p>
      Clear what is somebody else’s. It stays off the list, and so does what was found only through
      it. The leads: <LeadLinks ids={[...new Set(others.flatMap(({ id }) => id ?? []))]} />.
    </p>
    {others.map(({ key, id, email, phone, isListed }) => (
      <CheckboxField
        key={key}
        name={`list-${key}`}
        label={`${email ? maskEmail(email) : `phone ${maskPhone(String(phone))}`}${id ? ` in ${toReference(id)}` : ''}${isListed ? ', on the list' : ''}`}
        error={undefined}
        isChecked={!except.includes(key)}
      />
    ))}
  </fieldset>
)
