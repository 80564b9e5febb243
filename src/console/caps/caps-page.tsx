import { Hono } from 'hono'
import type { ConsoleContext, ConsoleEnv, ConsoleServices } from '#console/console-services.ts'
import { readForm } from '#console/requests/read-form.ts'
import { ConsolePage } from '#console/shell/console-page.tsx'
import controls from '#console/shell/controls.module.css'
import { type Column, DataTable, makeNumberColumn } from '#console/shell/data-table.tsx'
import { ConfirmPage, EditForm, type FieldGroup } from '#console/shell/edit-form.tsx'
import { ButtonForm } from '#console/shell/forms.tsx'
import { useFieldErrors, useMayDo } from '#console/shell/shell.tsx'
import { Timestamp } from '#console/shell/times.tsx'
import {
  type Cap,
  type CapFormValues,
  capFields,
  capPeriods,
  describeLimits,
  describeRelease,
  describeScope,
  emptyCap,
  formatTimeOfDay,
  formatWeekdays,
  parseCapForm,
} from '#domain/delivery/cap.ts'
import {
  type Message,
  makeFieldMessage,
  makeNoteMessage,
  makeProblemMessage,
  makeSuccessMessage,
} from '#domain/operator/messages.ts'
import { formatNumber, pluralize } from '#domain/text/formats.ts'
import { authorize } from '#server/operators/authorize.ts'
import styles from './caps-page.module.css'

const path = '/caps'

export function capRoutes({ flash, caps, programs, clock }: ConsoleServices) {
  const show = async (
    c: ConsoleContext,
    message?: Message,
    posted: { readonly id?: string; readonly texts?: CapFormValues } = {},
  ) => {
    const list = await caps.list(c.get('actor'))
    const edited = list.find(({ id }) => id === (posted.id ?? c.req.query('edit')))
    const fresh = { ...emptyCap, affiliateId: c.req.query('affiliate') ?? null }
    const page = (
      <CapsPage
        caps={list}
        programs={programs()}
        affiliates={await caps.affiliates()}
        edited={edited?.id}
        texts={posted.texts ?? toCapFormValues(edited ?? fresh)}
      />
    )
    return c.render(page, message)
  }

  return new Hono<ConsoleEnv>()
    .get(path, (c) => show(c))
    .post(path, async (c) => {
      const actor = c.get('actor')
      authorize(actor, 'change caps', clock())
      const { id, ...texts } = await readForm(c, 'id', ...capFields)
      const before = (await caps.list(actor)).find((cap) => cap.id === id)
      const offered = programs().map((program) => program.id)
      const { cap, faults } = parseCapForm(texts, [...offered, before?.program])
      const refuse = (message: Message) => show(c, message, { id, texts })
      if (Object.keys(faults).length > 0) return refuse(makeFieldMessage(faults))
      const outcome = await caps.save(actor, cap, id || undefined)
      if (outcome === 'no affiliate') {
        return refuse(makeFieldMessage({ affiliate: 'Choose an affiliate from the list.' }))
      }
      if (outcome === 'unchanged') {
        return flash.redirect(c, path, makeNoteMessage('The cap is as it was'))
      }
      if (outcome !== 'saved') return refuse(makeProblemMessage(problems[outcome]))
      const text = 'Within a second, the workers send held leads that the cap now allows.'
      return flash.redirect(c, path, makeSuccessMessage('The cap is saved', text))
    })
    .get(`${path}/:id/remove`, async (c) => {
      const actor = c.get('actor')
      authorize(actor, 'change caps', clock())
      const cap = (await caps.list(actor)).find(({ id }) => id === c.req.param('id'))
      if (cap === undefined) return show(c, makeProblemMessage(problems.unknown))
      return c.render(<DeleteCapPage programs={programs()} cap={cap} />)
    })
    .post(`${path}/:id/remove`, async (c) => {
      const due = await caps.remove(c.get('actor'), c.req.param('id'))
      if (due === undefined) return show(c, makeProblemMessage(problems.unknown))
      const held = `The cap held ${pluralize(due, 'lead')}.`
      const text =
        due === 0
          ? held
          : `${held} Within a second, the workers send those that no other cap holds.`
      return flash.redirect(c, path, makeSuccessMessage('The cap is deleted', text))
    })
}

const problems = {
  unknown: 'This cap no longer exists. Nothing was changed.',
  'too many':
    'There are 500 caps, and no more are possible. Delete one first. Nothing was changed.',
}

type CapRow = Awaited<ReturnType<ConsoleServices['caps']['list']>>[number]

interface CapsPageProps {
  caps: readonly CapRow[]
  programs: readonly { readonly id: number; readonly name: string }[]
  affiliates: readonly { readonly id: string; readonly name: string }[]
  /** The id of the cap that the form changes; undefined if the form adds a cap. */
  edited?: string | undefined
  texts: CapFormValues
}

function CapsPage(props: CapsPageProps) {
  const { caps, programs, edited } = props
  const isAffiliateWrong = useFieldErrors().affiliate !== undefined
  const mayDo = useMayDo()
  const mayChange = mayDo('change caps')
  return (
    <ConsolePage name="Caps">
      <p>
        A cap limits the leads that the workers send to the distributor. The server stores every
        lead. A worker holds a lead until every cap that applies to the lead allows it.
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
            groups={makeCapFieldGroups(props, isAffiliateWrong)}
            values={props.texts}
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
}

/** Asks the admin to confirm the deletion of a cap, because the workers send the leads that it holds. */
const DeleteCapPage = ({ programs, cap }: DeleteCapPageProps) => (
  <ConfirmPage
    name="Delete this cap"
    warning={<p>{describeRelease(cap.held)}</p>}
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
    cell: ({ used, maxLeads, isFull, fullUntil, closedUntil }) =>
      isFull ? (
        'full until the month ends: the distributor says that its cap is reached. To send earlier, save this cap again.'
      ) : maxLeads !== null && used >= maxLeads ? (
        <span>
          full until <Timestamp at={fullUntil} />
        </span>
      ) : closedUntil !== undefined ? (
        <span>
          closed until <Timestamp at={closedUntil} />
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

const makeCapFieldGroups = (
  { programs, affiliates }: CapsPageProps,
  isAffiliateWrong: boolean,
): readonly FieldGroup<keyof CapFormValues>[] => [
  {
    legend: 'Which leads',
    fields: [
      {
        name: 'program',
        label: 'Program',
        empty: 'Any program',
        options: programs.map(({ id, name }) => ({ value: `${id}`, text: name })),
      },
      ...(affiliates.length > 0 || isAffiliateWrong
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
      {
        name: 'weekdays',
        label: 'On these weekdays',
        hint: 'For example Mon–Fri, Sun.',
      },
      {
        name: 'holidays',
        label: 'Not on these days',
        hint: 'For example 2026-12-25, 2027-01-01.',
        type: 'lines',
      },
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

const toCapFormValues = (cap: Cap): CapFormValues => ({
  program: `${cap.program ?? ''}`,
  affiliate: cap.affiliateId ?? '',
  state: cap.state ?? '',
  maxLeads: `${cap.maxLeads ?? ''}`,
  period: cap.period,
  opensAt: formatTimeOfDay(cap.opensAt),
  closesAt: formatTimeOfDay(cap.closesAt),
  weekdays: formatWeekdays(cap.weekdays),
  holidays: cap.holidays.join('\n'),
  blockedStates: cap.blockedStates.join(', '),
  followsDistributor: cap.followsDistributor ? 'on' : '',
})
