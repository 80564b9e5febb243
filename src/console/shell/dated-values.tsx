import type { Column } from '#console/shell/data-table.tsx'
import { ConfirmPage, EditForm, type FieldGroup } from '#console/shell/edit-form.tsx'
import { ButtonForm } from '#console/shell/forms.tsx'
import { useMayDo, useNeedsStepUp } from '#console/shell/shell.tsx'
import { makeMoneyColumn, makeTimeColumn, SortableTable } from '#console/shell/sortable-table.tsx'
import { type Day, formatDay } from '#domain/calendar.ts'
import type { Program } from '#domain/catalogue/catalogue.ts'
import {
  beginning,
  type DatedValue,
  type DatedValueTexts,
  findDatedValue,
  parseDatedValue,
} from '#domain/money/dated-value.ts'
import { type Message, makeProblemMessage, makeSuccessMessage } from '#domain/operator/messages.ts'
import type { Permission } from '#domain/operator/permissions.ts'
import { formatDollars } from '#domain/text/formats.ts'
import { describeDay } from '#domain/text/time-formats.ts'
import type { SetValue } from '#server/money/dated-values.ts'

interface DatedValuesProps {
  /** `Payout` or `Revenue`. */
  name: string
  permission: Permission
  /** The path that the form posts to; a button leads to its subpath `remove`. */
  path: string
  /** The query string of the page, which the paths keep. */
  query?: string
  values: readonly SetValue[]
  programs: readonly Program[]
  /** Says what the amount is. */
  hint: string
  typed: Partial<DatedValueTexts>
  /** Whether another form of the page already asks the operator to confirm their identity. */
  asksElsewhere?: boolean
}

/** Returns a program's name with its id. A program that is no longer in the catalogue has only its id. */
export const nameProgram = (programs: readonly Program[], id: number | null): string => {
  const name = programs.find((program) => program.id === id)?.name
  return id === null ? 'unknown' : name === undefined ? `program ${id}` : `${name} (${id})`
}

/** Lists payouts or revenues, each with the day from which it counts, and lets operators set and remove some. */
export function DatedValues(props: DatedValuesProps) {
  const { name, permission, path, query = '', values, programs, hint, typed } = props
  const needsStepUp = useNeedsStepUp()
  const mayChange = useMayDo()(permission)
  const what = name.toLowerCase()
  const columns: readonly Column<SetValue>[] = [
    {
      heading: 'From',
      cell: ({ fromDay }) => describeFromDay(fromDay),
      value: ({ fromDay }) => (fromDay === beginning ? '' : formatDay(fromDay)),
    },
    {
      heading: 'Program',
      cell: ({ program }) => (program === null ? 'all' : nameProgram(programs, program)),
    },
    {
      ...makeMoneyColumn(name, ({ amountCents }) => amountCents),
      cell: ({ amountCents }) => (amountCents === null ? 'none' : formatDollars(amountCents)),
    },
    {
      heading: 'Set by',
      cell: ({ setAt, setBy }) => (setAt === null ? 'an earlier release' : setBy),
    },
    makeTimeColumn('Set at', ({ setAt }) => setAt),
    {
      heading: 'Action',
      value: null,
      isHidden: !mayChange || needsStepUp || values.every(({ isUsed }) => isUsed),
      cell: ({ id, fromDay, isUsed }) =>
        !isUsed && (
          <ButtonForm
            method="get"
            action={`${path}/remove`}
            button="Remove"
            name={`Remove the ${what} from ${describeFromDay(fromDay)}`}
            fields={{ ...Object.fromEntries(new URLSearchParams(query)), value: id }}
          />
        ),
    },
  ]
  return (
    <>
      <SortableTable name={`${name} by day`} columns={columns} rows={values} empty="None is set." />
      {!(props.asksElsewhere && needsStepUp) && (
        <EditForm
          permission={permission}
          needsStepUp
          action={`${path}${query}`}
          name={`Set the ${what}`}
          button={`Set ${what}`}
          groups={makeDatedValueFields(programs, hint)}
          values={typed}
        />
      )}
    </>
  )
}

const makeDatedValueFields = (
  programs: readonly Program[],
  hint: string,
): readonly FieldGroup<keyof DatedValueTexts>[] => [
  {
    fields: [
      {
        name: 'amount',
        label: 'US dollars',
        hint: `${hint}. It replaces an amount that starts on the same day, unless a lead was accepted with that. 0.00 is an amount. Empty ends only a program’s own amount: from this day on, it has that of all programs.`,
      },
      {
        name: 'startsOn',
        label: 'Starts on',
        type: 'date',
        hint: 'Optional. By default, today. Leads that were accepted before keep theirs.',
      },
      {
        name: 'program',
        label: 'For program',
        empty: 'All programs without their own',
        options: programs.map((program) => ({ value: `${program.id}`, text: program.name })),
      },
    ],
  },
]

const describeFromDay = (day: Day): string =>
  day === beginning ? 'the beginning' : describeDay(day)

/** Describes a value, as in `$250.00 from Nov 28, 2026, all programs`. */
const describeValue = (
  { amountCents, fromDay, program }: Pick<DatedValue, 'amountCents' | 'fromDay' | 'program'>,
  programs: readonly Program[],
): string =>
  [
    amountCents === null ? 'none' : formatDollars(amountCents),
    ` from ${describeFromDay(fromDay)}, `,
    program === null ? 'all programs' : nameProgram(programs, program),
  ].join('')

/** Says which value an operator has set with valid texts. @param name `Payout` or `Revenue` */
export const describeSetValue = (
  name: string,
  typed: DatedValueTexts,
  today: Day,
  programs: readonly Program[],
): Message =>
  makeSuccessMessage(
    `${name} set: ${describeValue(parseDatedValue(typed, today).value, programs)}`,
    'Leads that were accepted before keep theirs.',
  )

interface RemoveValuePageProps {
  name: 'payout' | 'revenue'
  /** The values of the page, and the id of one of them. */
  values: readonly SetValue[]
  id: string | undefined
  programs: readonly Program[]
  now: number
  action: string
  back: string
}

/** Asks the operator to confirm the removal of a payout or revenue. */
export function RemoveValuePage({ name, values, id, programs, now, ...to }: RemoveValuePageProps) {
  const value = values.find((one) => one.id === id)
  const others = values.filter((one) => one !== value)
  const next = value && findDatedValue(others, value.program, Math.max(value.fromAt, now))
  const effect = next ? `get ${formatDollars(next.amountCents)}` : `have no ${name}`
  return (
    <ConfirmPage
      name={`Remove this ${name}`}
      heading={value ? `Leads then ${effect}` : 'Nothing changes'}
      warning={
        <p>
          {value
            ? `This ${name} no longer counts: ${describeValue(value, programs)}.`
            : `The ${name} is already removed.`}
          {next && ` Instead counts: ${describeValue(next, programs)}.`}
        </p>
      }
      fields={{ value: id }}
      button={`Remove the ${name}`}
      {...to}
    />
  )
}

/** Says whether a payout or revenue was removed. */
export const describeRemovedValue = (name: 'payout' | 'revenue', isRemoved: boolean): Message =>
  isRemoved
    ? makeSuccessMessage(`The ${name} is removed`)
    : makeProblemMessage(
        `The ${name} was not removed`,
        'A lead was accepted with it, or another operator has removed it.',
      )
