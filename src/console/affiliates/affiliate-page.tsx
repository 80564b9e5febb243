import type {
  Affiliate,
  AffiliateErrors,
  AffiliateField,
  AffiliateTexts,
} from '#domain/affiliate/affiliate.ts'
import type { Scorecard } from '#domain/affiliate/scorecard.ts'
import type { FunnelRange } from '#domain/measuring/funnel.ts'
import { formatDollars } from '#domain/text/format-dollars.ts'
import { formatRange, LeadCount, OutcomeTable } from '../funnel/funnel-page.tsx'
import { FilterForm, type FilterFormProps } from '../leads/filter-form.tsx'
import { ConsolePage, type ConsoleShell, isActionAllowed } from '../shell/console-page.tsx'
import { DataTable } from '../shell/data-table.tsx'
import { EditForm, type FormField } from '../shell/edit-form.tsx'
import { Facts } from '../shell/facts.tsx'
import figureStyles from '../shell/figures.module.css'
import { ButtonForm } from '../shell/forms.tsx'
import type { Message } from '../shell/message.tsx'
import styles from './affiliates.module.css'
import { describeScorecard } from './describe-scorecard.ts'

export interface AffiliatePageProps extends Pick<AffiliateFormProps, 'typed'> {
  shell: ConsoleShell
  affiliate: Affiliate
  /** The affiliate's ids, those masked that may be a person's address. */
  shownIds: readonly string[]
  filter: FilterFormProps
  message: Message | undefined
  range: FunnelRange
  before: FunnelRange
  now: Scorecard
  earlier: Scorecard
  /** The query of the list with the affiliate's leads of the range; undefined if the list cannot show them. */
  leadsQuery: string | undefined
  /** The query of the page Funnel for the affiliate's visitors; undefined if it cannot show them all. */
  funnelQuery: string | undefined
  duplicatesShown: boolean
}

/** Shows what an affiliate's visitors and leads came to, and its details, which admins can change. */
export function AffiliatePage(props: AffiliatePageProps) {
  const { shell, affiliate, filter, message, range, before, now, earlier, leadsQuery } = props
  const [these, those] = [describeScorecard(now), describeScorecard(earlier)]
  return (
    <ConsolePage shell={shell} name="Affiliate" message={message}>
      <h2>{affiliate.name}</h2>
      <FilterForm {...filter} />
      <p className={figureStyles.sentence}>
        {formatRange(range)}, compared with {formatRange(before)}. Every number is by visit date: a
        visit counts when it began and a lead when it was received, with its current status. Visits
        appear an hour after they end. docs/measuring.md defines each number.
      </p>
      <DataTable
        name="Scorecard"
        columns={[
          { heading: 'Measure', isPlain: true, cell: (name) => name },
          {
            heading: 'These days',
            isNumber: true,
            cell: (name) =>
              name === 'Leads' ? (
                <LeadCount count={now.figures.leads} query={leadsQuery} />
              ) : (
                these[name]
              ),
          },
          { heading: 'Before', isNumber: true, cell: (name) => those[name] },
        ]}
        rows={Object.keys(these)}
        keyOf={(name) => name}
        empty=""
      />
      <h2>Lead results</h2>
      <OutcomeTable {...props} now={now.figures} earlier={earlier.figures} />
      {props.funnelQuery !== undefined && (
        <p>
          <a href={`/funnel?${props.funnelQuery}`}>
            Where its visitors leave the form, and its campaigns
          </a>
        </p>
      )}
      <h2>Details</h2>
      {isActionAllowed(shell, 'see caps') && (
        <p>
          <a href={`/caps?affiliate=${affiliate.id}`}>Caps of this affiliate</a>
        </p>
      )}
      {isActionAllowed(shell, 'change affiliates') || <Details {...props} />}
      <AffiliateForm
        {...props}
        action={`/affiliates/${affiliate.id}`}
        name="Affiliate"
        button="Save"
        errors={message?.fields}
      />
      {affiliate.postbackUrl !== null && (
        <p>
          <a href={`/webhooks/${affiliate.id}`}>Postback: status, latest calls, test</a>
        </p>
      )}
      {isActionAllowed(shell, 'change affiliates') && shell.stepUpFor === undefined && (
        <>
          <h2>Remove</h2>
          <p>
            Removes the name, ids, notes and postback, and the affiliate’s caps. Its leads keep
            their affiliate ids, and leads that its caps held are sent.
          </p>
          <ButtonForm
            action={`/affiliates/${affiliate.id}/remove`}
            token={shell.token}
            button="Remove affiliate"
            look="danger"
          />
        </>
      )}
    </ConsolePage>
  )
}

const Details = ({ affiliate: { payoutCents, notes }, shownIds }: AffiliatePageProps) => (
  <Facts
    of={[
      ['Affiliate ids', shownIds.join(', ') || 'none'],
      ['Payout per lead', payoutCents === null ? 'none' : formatDollars(payoutCents)],
      [
        'Notes',
        <span key="notes" className={styles.lines}>
          {notes || 'none'}
        </span>,
      ],
    ]}
  />
)

export interface AffiliateFormProps {
  shell: ConsoleShell
  action: string
  name: string
  button: string
  typed: AffiliateTexts
  errors: AffiliateErrors | undefined
}

const fields: readonly FormField<AffiliateField>[] = [
  { name: 'name', label: 'Name', isRequired: true },
  {
    name: 'ids',
    label: 'Affiliate ids',
    type: 'lines',
    hint: 'One per line, exactly as in the links, with the same capital letters.',
  },
  {
    name: 'payout',
    label: 'Payout per lead',
    hint: 'Optional. US dollars for each lead that the distributor accepts and keeps.',
  },
  {
    name: 'postback',
    label: 'Postback URL',
    hint: 'Optional. The https address that the server calls with each result. Macros such as {click_id}, {event} and {payout} are filled in.',
  },
  { name: 'notes', label: 'Notes', type: 'lines', hint: 'Optional. All operators see them.' },
]

/** Adds or changes an affiliate. */
export const AffiliateForm = ({ typed, ...form }: AffiliateFormProps) => (
  <EditForm
    {...form}
    permission="change affiliates"
    needsStepUp
    groups={[{ fields }]}
    values={typed}
  />
)
