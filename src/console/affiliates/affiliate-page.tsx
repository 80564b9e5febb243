import { type ComponentProps, Fragment } from 'react'
import { AgeChart } from '#console/charts/age-chart.tsx'
import { TileMap } from '#console/charts/tile-map.tsx'
import { TrendChart } from '#console/charts/trend-chart.tsx'
import { CountingRules } from '#console/funnel/funnel-page.tsx'
import { type LeadsParameters, makeLeadsQuery } from '#console/funnel/lead-dimensions.ts'
import { LeadsByStatusTable } from '#console/funnel/lead-results.tsx'
import { formatQueryString } from '#console/leads/read-filter.ts'
import { RangePicker, type RangePickerProps } from '#console/ranges/range-picker.tsx'
import { pickRangeTexts } from '#console/ranges/read-range.ts'
import { ConsolePage } from '#console/shell/console-page.tsx'
import controls from '#console/shell/controls.module.css'
import { DatedValues } from '#console/shell/dated-values.tsx'
import { type DescriptionItem, DescriptionList } from '#console/shell/description-list.tsx'
import { ConfirmPage, EditForm, type FormField } from '#console/shell/edit-form.tsx'
import figureStyles from '#console/shell/figures.module.css'
import { ButtonForm, ReasonField } from '#console/shell/forms.tsx'
import { MeasureTable } from '#console/shell/measure-table.tsx'
import { Callout } from '#console/shell/message.tsx'
import { useMayDo, useNeedsStepUp, useShell } from '#console/shell/shell.tsx'
import { Timestamp } from '#console/shell/times.tsx'
import type {
  Affiliate,
  AffiliateChange,
  AffiliateField,
  AffiliateFormValues,
  AffiliateRemoval,
} from '#domain/affiliate/affiliate.ts'
import { listScorecard } from '#domain/affiliate/scorecard.ts'
import { formatMonth, startOfMonth } from '#domain/calendar.ts'
import type { Program } from '#domain/catalogue/catalogue.ts'
import { describeRelease } from '#domain/delivery/cap.ts'
import { maskAffiliateId } from '#domain/lead/mask-lead.ts'
import { describeMissingComparison, type Period } from '#domain/measuring/periods.ts'
import type { DatedValueTexts } from '#domain/money/dated-value.ts'
import { stoppedReason } from '#domain/notifications/notification.ts'
import { formatDollars, pluralize } from '#domain/text/formats.ts'
import { describeUnit } from '#domain/text/time-formats.ts'
import type { ReturnAge } from '#server/measuring/funnel-reader.ts'
import type { readComparedScorecards } from '#server/measuring/read-scorecards.ts'
import type { Trend } from '#server/measuring/read-trend.ts'
import type { SetValue } from '#server/money/dated-values.ts'
import styles from './affiliate-page.module.css'

interface AffiliatePageProps extends Awaited<ReturnType<typeof readComparedScorecards>> {
  affiliate: Affiliate
  /** The site's URL; undefined if the site listens on any free port. */
  site: string | undefined
  range: RangePickerProps
  /** Says what was counted in another time zone; empty if nothing was. */
  note: string
  trend: Trend
  states: ComponentProps<typeof TileMap>['rows']
  ages: readonly ReturnAge[]
  typed: AffiliateFormValues
  payouts: readonly SetValue[]
  typedPayout: Partial<DatedValueTexts>
  programs: readonly Program[]
}

/** Makes the query string of `/leads`; undefined without conditions, or if the affiliate has no id or a masked id. */
export function makeAffiliateQuery(
  ids: readonly string[],
  days: Period,
  conditions: LeadsParameters | undefined,
): string | undefined {
  if (conditions === undefined || ids.length === 0 || ids.some((id) => maskAffiliateId(id) !== id))
    return undefined
  const parameters = ids.map((id): [string, string] => ['affiliate', id])
  return makeLeadsQuery([...parameters, ...conditions], days)
}

/** Shows an affiliate's visits, leads and details. Admins can change the details. */
export function AffiliatePage(props: AffiliatePageProps) {
  const { affiliate, note, now, earlier, comparison } = props
  const { path, range, given } = props.range
  const mayDo = useMayDo()
  const needsStepUp = useNeedsStepUp()
  useShell().nameFile?.(affiliate.name)
  const leadsQuery = makeAffiliateQuery(affiliate.ids, range, [])
  const month = startOfMonth(range.last)
  const query = formatQueryString(pickRangeTexts(given))
  const search = query && `?${query}`
  return (
    <ConsolePage name="Affiliate">
      <h2>{affiliate.name}</h2>
      {affiliate.stoppedAt !== null && (
        <Callout kind="problem" heading="Stopped">
          <p>
            New leads wait in <a href="/quarantine">quarantine</a>, unpaid, since{' '}
            <Timestamp at={affiliate.stoppedAt} />. Reason: {affiliate.stopReason}
          </p>
        </Callout>
      )}
      <RangePicker {...props.range} />
      <p className={figureStyles.sentence}>
        {describeMissingComparison(comparison)} {note} <CountingRules />
      </p>
      <TrendChart trend={props.trend} range={props.range} />
      <MeasureTable
        name="Scorecard"
        headings={['These days', 'Before']}
        measures={listScorecard(now)}
        before={listScorecard(earlier, comparison)}
        hrefOf={(name) => (name === 'Leads' && leadsQuery ? `/leads?${leadsQuery}` : undefined)}
      />
      <h2>Lead results</h2>
      <LeadsByStatusTable
        leadsQuery={leadsQuery}
        now={now.figures}
        earlier={comparison.noLeads === undefined ? earlier.figures : undefined}
      />
      <TileMap rows={props.states} />
      <AgeChart ages={props.ages} />
      {leadsQuery !== undefined && (
        <p>
          Why its leads are rejected, its campaigns, and where visitors leave the form:{' '}
          {affiliate.ids.map((id, index) => (
            <Fragment key={id}>
              {index > 0 && ', '}
              <a href={`/funnel?${formatQueryString({ affiliate: id, by: 'reason', ...given })}`}>
                {id}
              </a>
            </Fragment>
          ))}
        </p>
      )}
      <h2>Details</h2>
      <AffiliateLinks ids={affiliate.ids} site={props.site} />
      {mayDo('see caps') && (
        <p>
          <a href={`/caps?affiliate=${affiliate.id}`}>Caps of this affiliate</a>
        </p>
      )}
      {mayDo('change affiliates') || <AffiliateDetails {...affiliate} />}
      <EditForm
        {...makeAffiliateForm(false)}
        action={`${path}${search}`}
        name="Affiliate"
        button="Save"
        values={props.typed}
      />
      {affiliate.postbackUrl !== null && (
        <p>
          <a href={`/webhooks/${affiliate.id}`}>Postback: status, latest calls, test</a>
        </p>
      )}
      <h2>Payouts</h2>
      <p>
        Each lead keeps the payout of its acceptance. The{' '}
        <a href={`/statements/${affiliate.id}/${formatMonth(month)}`}>
          statement of {describeUnit('month', month)}
        </a>{' '}
        says what is owed.
      </p>
      <DatedValues
        name="Payout"
        permission="change affiliates"
        path={`${path}/payouts`}
        query={search}
        values={props.payouts}
        programs={props.programs}
        hint="What the affiliate gets for a lead"
        typed={props.typedPayout}
        asksElsewhere
      />
      {mayDo('change affiliates') && !needsStepUp && (
        <>
          <h2>Stop or remove</h2>
          <div className={controls.acts}>
            <ButtonForm
              method="get"
              action={`${path}/${affiliate.stoppedAt === null ? 'stop' : 'start'}`}
              button={affiliate.stoppedAt === null ? 'Stop affiliate' : 'Start affiliate again'}
            />
            <ButtonForm
              method="get"
              action={`${path}/remove`}
              button="Remove affiliate"
              variant="danger"
            />
          </div>
        </>
      )}
    </ConsolePage>
  )
}

/** Says which links to give to the affiliate. They don't lead to the site: an operator's visit would count. */
function AffiliateLinks({ ids, site }: Pick<Affiliate, 'ids'> & { site: string | undefined }) {
  const shown = ids.filter((id) => maskAffiliateId(id) === id)
  if (site === undefined || shown.length === 0) return null
  return (
    <p>
      Give the affiliate this link, or any other page of the site with the same ending:{' '}
      {shown.map((id, index) => (
        <Fragment key={id}>
          {index > 0 && ', '}
          <code>{`${site}/?affid=${encodeURIComponent(id)}`}</code>
        </Fragment>
      ))}
    </p>
  )
}

/** Asks the admin to confirm the removal of an affiliate. */
export function RemoveAffiliatePage({
  affiliate,
  removal,
}: {
  affiliate: Affiliate
  removal: AffiliateRemoval
}) {
  const { caps, waitingPostbacks } = removal
  const at = `/affiliates/${affiliate.id}`
  return (
    <ConfirmPage
      name="Remove this affiliate"
      warning={
        <>
          <p>
            {affiliate.name} is removed with its ids, payout, postback URL, notes and{' '}
            {pluralize(caps.length, 'cap')}. Leads keep their affiliate ids, and Statements keeps
            what the affiliate is owed.
          </p>
          {caps.length > 0 && <p>{describeRelease(removal.held)}</p>}
          {waitingPostbacks > 0 && (
            <p>
              {pluralize(waitingPostbacks, 'waiting postback is', 'waiting postbacks are')} not
              sent.
            </p>
          )}
          {affiliate.stoppedAt !== null && (
            <p>Workers send later leads with its ids, because no stopped affiliate has the ids.</p>
          )}
        </>
      }
      action={`${at}/remove`}
      button="Remove the affiliate"
      back={at}
    >
      <p>The audit log keeps these values:</p>
      <AffiliateDetails
        {...affiliate}
        more={[
          ['Postback URL', keepLines(affiliate.postbackUrl)],
          ['Caps', keepLines(caps.join('\n'))],
        ]}
      />
    </ConfirmPage>
  )
}

interface StopAffiliatePageProps {
  affiliate: Affiliate
  change: AffiliateChange
  reason?: string | undefined
}

/** Says what a stop or a new start of the affiliate does, and asks for the reason. */
export function StopAffiliatePage({ affiliate, change, reason }: StopAffiliatePageProps) {
  const at = `/affiliates/${affiliate.id}`
  const isStop = change === 'stop'
  return (
    <ConfirmPage
      name={isStop ? 'Stop this affiliate' : 'Start this affiliate again'}
      heading={isStop ? 'New leads won’t be sent or paid for' : 'New leads are sent and paid for'}
      warning={
        <p>
          {isStop
            ? `From now on, the leads of ${affiliate.name} wait in quarantine, unpaid, and each postback says “${stoppedReason}”. An operator can release real people. Leads that came before are still sent.`
            : `From now on, workers send the new leads of ${affiliate.name} again. Leads in quarantine stay there, and stay unpaid if an operator releases them.`}
        </p>
      }
      action={`${at}/${change}`}
      inputs={<ReasonField isRequired value={reason} />}
      button={isStop ? 'Stop the affiliate' : 'Start the affiliate'}
      back={at}
    />
  )
}

const formFields: readonly FormField<AffiliateField>[] = [
  { name: 'name', label: 'Name', isRequired: true },
  {
    name: 'ids',
    label: 'Affiliate ids',
    type: 'lines',
    hint: 'Enter one id per line, in upper or lower case.',
  },
  {
    name: 'payout',
    label: 'Payout per lead',
    hint: 'Optional. The amount in US dollars for each lead that the distributor accepts and doesn’t return.',
  },
  {
    name: 'postback',
    label: 'Postback URL',
    hint: 'Optional. The https URL that the server calls with each result. The server fills in macros in braces, such as {click_id}, {event} and {payout}. If you empty this field, waiting postbacks are not sent.',
  },
  { name: 'notes', label: 'Notes', type: 'lines', hint: 'Optional. All operators see the notes.' },
]

/** Makes the props that the forms for adding and for changing an affiliate share. */
export const makeAffiliateForm = (isNew: boolean) => ({
  permission: 'change affiliates' as const,
  needsStepUp: true,
  groups: [{ fields: formFields.filter(({ name }) => isNew || name !== 'payout') }],
})

/** Shows a text with its line breaks. */
const keepLines = (text: string | null) => <span className={styles.lines}>{text || 'none'}</span>

interface AffiliateDetailsProps extends Affiliate {
  more?: readonly DescriptionItem[]
}

const AffiliateDetails = ({ ids, payoutCents, notes, more = [] }: AffiliateDetailsProps) => (
  <DescriptionList
    items={[
      ['Affiliate ids', ids.map(maskAffiliateId).join(', ') || 'none'],
      ['Payout per lead', payoutCents === null ? 'none' : formatDollars(payoutCents)],
      ['Notes', keepLines(notes)],
      ...more,
    ]}
  />
)
