import type { ReactNode } from 'react'
import { describeError } from '#domain/delivery/describe-outcome.ts'
import type { ShownStatus } from '#domain/lead/lead-status.ts'
import { LeadName, LeadStatusMark, Reference } from '../lead/lead-name.tsx'
import { LeadsCommand } from '../shell/console-page.tsx'
import controls from '../shell/controls.module.css'
import { type Column, DataTable } from '../shell/data-table.tsx'
import { Moment } from '../shell/times.tsx'
import styles from './lead-table.module.css'

/** The columns that the list can show beside the time, in this order, with their names. */
export const leadColumns = {
  reference: 'Reference',
  status: 'Status',
  initials: 'Initials',
  area: 'Area',
  program: 'Program',
  state: 'State',
  affiliate: 'Affiliate',
  verified: 'Verified',
  tries: 'Attempts',
  error: 'Last error',
  remarks: 'Remarks',
} as const

export type LeadColumn = keyof typeof leadColumns

export const leadColumnNames = Object.keys(leadColumns) as readonly LeadColumn[]

/** Until somebody chooses. */
export const usualColumns: readonly LeadColumn[] = leadColumnNames.filter(
  (name) => name !== 'reference' && name !== 'verified',
)

export interface LeadRow {
  readonly id: string
  /** Epoch milliseconds. */
  readonly receivedAt: number
  readonly initials: string
  readonly area: string
  readonly program: string
  readonly status: ShownStatus
  readonly attempts: number
  readonly error: string | null
  readonly state: string | null
  readonly affiliate: string | null
  readonly isVerified: boolean | null
  /** In words, each. */
  readonly remarks: readonly string[]
}

/** The row's link: it is always there. */
const received: Column<LeadRow> = {
  heading: 'Received',
  isPlain: true,
  cell: LeadName,
}

const columns: Readonly<Record<LeadColumn, Column<LeadRow>>> = {
  reference: { heading: leadColumns.reference, cell: ({ id }) => <Reference id={id} /> },
  status: {
    heading: leadColumns.status,
    isPlain: true,
    cell: ({ status }) => <LeadStatusMark status={status} />,
  },
  initials: {
    heading: leadColumns.initials,
    isWhole: true,
    isPlain: true,
    cell: ({ initials }) => initials || '–',
  },
  area: { heading: leadColumns.area, isPlain: true, cell: ({ area }) => area },
  program: {
    heading: leadColumns.program,
    isLong: true,
    isPlain: true,
    cell: ({ program }) => program || '–',
  },
  state: { heading: leadColumns.state, isPlain: true, cell: ({ state }) => state ?? '–' },
  affiliate: {
    heading: leadColumns.affiliate,
    isPlain: true,
    cell: ({ affiliate }) =>
      affiliate === null ? (
        '–'
      ) : (
        <span className={styles.affiliate} title={affiliate}>
          {affiliate}
        </span>
      ),
  },
  verified: {
    heading: leadColumns.verified,
    cell: ({ isVerified }) => (isVerified === null ? '–' : isVerified ? 'yes' : 'no'),
  },
  tries: { heading: leadColumns.tries, isNumber: true, cell: ({ attempts }) => attempts },
  error: {
    heading: leadColumns.error,
    cell: ({ error }) => (error === null ? '–' : <span title={error}>{describeError(error)}</span>),
  },
  remarks: {
    heading: leadColumns.remarks,
    isPlain: true,
    cell: ({ remarks }) => (remarks.length === 0 ? '–' : remarks.join(', ')),
  },
}

/** A phone shows a lead in two lines. */
const minor: ReadonlySet<LeadColumn> = new Set(['area', 'state', 'affiliate', 'tries', 'remarks'])

const settling: Column<LeadRow> = {
  heading: 'To do',
  isWhole: true,
  isPlain: true,
  cell: ({ id }) => (
    <a className={controls.button} href={`/leads/${id}/settle?restored=in-doubt`}>
      Settle
      <span className="visually-hidden"> {id}</span>
    </a>
  ),
}

/** The value that sorts a column's rows. */
const comparedBy: Readonly<Record<LeadColumn, (row: LeadRow) => unknown>> = {
  reference: ({ id }) => id,
  status: ({ status }) => status,
  initials: ({ initials }) => initials,
  area: ({ area }) => area,
  program: ({ program }) => program,
  state: ({ state }) => state,
  affiliate: ({ affiliate }) => affiliate,
  verified: ({ isVerified }) => isVerified,
  tries: ({ attempts }) => attempts,
  error: ({ error }) => error,
  remarks: ({ remarks }) => remarks.join(),
}

const isSame = (rows: readonly LeadRow[], of: (row: LeadRow) => unknown): boolean =>
  rows.every((row, _, [first]) => first !== undefined && of(row) === of(first))

/**
 * Columns whose rows are all the same are hidden, and their value is shown once above the table.
 */
const SameInEachRow = ({ names, row }: { names: readonly LeadColumn[]; row: LeadRow }) => {
  const told = names.map((name) => ({ name, value: columns[name].cell(row) }))
  const filled = told.filter(({ value }) => value !== '–')
  if (filled.length === 0) return null
  return (
    <p className={styles.same} data-same-in-rows="">
      Same in every row:{' '}
      {filled.map(({ name, value }, index) => (
        <span key={name}>
          {index > 0 && ', '}
          {leadColumns[name]} <b>{value}</b>
        </span>
      ))}
    </p>
  )
}

interface LeadTableProps {
  columns: readonly LeadColumn[]
  rows: readonly LeadRow[]
  empty: ReactNode
  lookedUntil: number | undefined
  /** Each is in doubt, and the operator may settle it. */
  isToSettle: boolean
}

export const LeadTable = (props: LeadTableProps) => {
  const { columns: chosen, rows, empty, lookedUntil, isToSettle } = props
  const same = rows.length > 1 ? chosen.filter((name) => isSame(rows, comparedBy[name])) : []
  // A phone shows the columns that an operator chose, however many lines they take.
  const isUsual = chosen.join() === usualColumns.join()
  const listed = [
    received,
    ...chosen.map((name) => ({
      ...columns[name],
      isMinor: isUsual && minor.has(name),
      isHidden: same.includes(name),
    })),
  ]
  return (
    <>
      {rows[0] !== undefined && <SameInEachRow names={same} row={rows[0]} />}
      <DataTable
        name="Leads"
        isCompact
        columns={isToSettle ? [...listed, settling] : listed}
        rows={rows}
        keyOf={({ id }) => id}
        empty={
          lookedUntil === undefined ? (
            empty
          ) : (
            <>
              Nothing found yet. Searched back to <Moment at={lookedUntil} />; “Older” continues
              from there.
            </>
          )
        }
      />
      {rows.length > 0 && lookedUntil !== undefined && (
        <p>
          Searched back to <Moment at={lookedUntil} />.
        </p>
      )}
    </>
  )
}

/** Where visitors are; undefined where nobody knows it before it listens. */
export interface NoLeadYetProps {
  site: string | undefined
}

/** Says what will appear here, when, and how to see that it works. */
export const NoLeadYet = ({ site }: NoLeadYetProps) => (
  <>
    Each enquiry that a visitor sends stands here a second later. To see it work, send one yourself
    on {site === undefined ? 'the site' : <a href={site}>the site</a>}: it goes to the distributor
    like any other. To try the distributor alone, <LeadsCommand verb="send-test-lead" /> sends it
    one that is marked as a test and stored nowhere.
  </>
)
