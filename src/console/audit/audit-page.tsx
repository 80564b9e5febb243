import { Hono } from 'hono'
import type { ConsoleEnv, ConsoleServices } from '#console/console-services.ts'
import { type FilterFieldProps, FilterForm } from '#console/leads/filter-form.tsx'
import { ExportForm } from '#console/leads/leads-page.tsx'
import styles from '#console/leads/list-bar.module.css'
import { findFilterProblem, makeFilterFields, parsePageFilter } from '#console/leads/read-filter.ts'
import { readForm } from '#console/requests/read-form.ts'
import {
  assertStillPermitted,
  isExportFormat,
  streamTextFile,
} from '#console/requests/stream-text-file.ts'
import { ConsolePage } from '#console/shell/console-page.tsx'
import { type Column, DataTable, NextPageLink } from '#console/shell/data-table.tsx'
import { LeadLinks, ShortReference } from '#console/shell/lead-link.tsx'
import { Timestamp } from '#console/shell/times.tsx'
import { makeInvalidDayMessage, parseRangeEnd, parseRangeStart, toDay } from '#domain/calendar.ts'
import { describeAuditedOutcome } from '#domain/job/job-lead-outcome.ts'
import { isLeadId, leadIdPattern } from '#domain/lead/lead.ts'
import { auditActions, describeAuditAction, toAuditAction } from '#domain/operator/audit-action.ts'
import { makeProblemMessage } from '#domain/operator/messages.ts'
import { isAllowed } from '#domain/operator/permissions.ts'
import { pluralize } from '#domain/text/formats.ts'
import { InvalidFilterError } from '#server/leads/lead-filters.ts'
import type { AuditFilter, AuditRecord } from '#server/operators/audit.ts'
import { authorize } from '#server/operators/authorize.ts'
import {
  type AuditActors,
  exportAudit,
  readAudit,
  readAuditActors,
} from '#server/operators/read-audit.ts'
import { addByteOrderMark } from '#server/platform/export-formats.ts'
import ownStyles from './audit-page.module.css'

const path = '/audit'
const pageSize = 50

export const auditRoutes = (services: ConsoleServices) => {
  const { store } = services
  const { zone } = store
  const operators = { ...services.operators, audit: store.forConsole.audit }
  return new Hono<ConsoleEnv>()
    .get(path, async (c) => {
      const actor = c.get('actor')
      const { before, ...queries } = c.req.query()
      const url = parseAuditUrl(queries, zone)
      const actors = await readAuditActors(operators, actor)
      const problem = findUrlProblem(url, before)
      // One extra row shows whether there is a next page.
      const query = { ...url.filter, before, take: pageSize + 1 }
      const entries = problem === undefined ? await readAudit(operators, actor, query) : undefined
      const shown = entries?.slice(0, pageSize)
      const last = entries && entries.length > pageSize ? shown?.at(-1) : undefined
      const page = (
        <AuditPage
          entries={shown?.map(toEntryRow)}
          fields={makeAuditFields(url, actors)}
          isFiltered={url.query !== ''}
          older={last && makeAuditUrl(url.query, last.id)}
          exportQuery={
            shown && shown.length > 0 && isAllowed(actor.role, 'export the audit log')
              ? url.query
              : undefined
          }
        />
      )
      return c.render(page, problem, problem && 400)
    })
    .post(`${path}/export`, async (c) => {
      const { query, format, lacks } = await readForm(c, 'query', 'format')
      const url = parseAuditUrl(Object.fromEntries(new URLSearchParams(query)), zone)
      const isValid = !lacks('query') && findUrlProblem(url, undefined) === undefined
      authorize(c.get('actor'), 'export the audit log', operators.clock())
      if (!isValid || !isExportFormat(format)) throw new InvalidFilterError()
      const request = { filter: url.filter, format, subject: url.query, zone }
      const text = await exportAudit(operators, c.get('actor'), request)
      return streamTextFile(
        c,
        addByteOrderMark(text, format),
        { name: 'audit', format, day: toDay(operators.clock(), zone) },
        () => assertStillPermitted(services, c, 'export the audit log'),
      )
    })
}

function toAuditTarget({ subject, target }: AuditRecord): AuditTarget | undefined {
  if (subject === null || subject === '') return undefined
  if (isLeadId(subject)) return { id: subject, name: target }
  const ids = subject.split(' ').filter((word) => word !== '…')
  return ids.every(isLeadId) ? { leads: ids } : subject
}

const findUrlProblem = ({ faults, unknownName }: AuditUrl, before: string | undefined) =>
  findFilterProblem(faults, unknownName) ??
  (before === undefined || isLeadId(before) ? undefined : invalidCursorMessage)

const invalidCursorMessage = makeProblemMessage(
  'This URL isn’t a page of the audit log',
  'Nothing was listed.',
)

const makeAuditUrl = (query: string, before: string): string =>
  `${path}?${[query, `before=${before}`].filter((part) => part !== '').join('&')}`

/** This prefix marks users of the command line in the URL. Operators appear by id: an email address is personal data. */
const userPrefix = 'user:'

const fieldParsers = {
  action: {
    parse: toAuditAction,
    explain: (text: string) => `There is no action “${text}”. Choose one from the list.`,
  },
  who: {
    parse: (text: string): Pick<AuditFilter, 'operatorId' | 'user'> | undefined => {
      if (isLeadId(text)) return { operatorId: text }
      return text.startsWith(userPrefix) ? { user: text.slice(userPrefix.length) } : undefined
    },
    explain: () => 'Choose an operator or a user from the list.',
  },
  subject: {
    // An id is the only valid target, because another text may be a person's email address or phone number.
    parse: (text: string) => (isLeadId(text.toLowerCase()) ? text.toLowerCase() : undefined),
    explain: () => 'Enter an id of 36 characters, such as 019bc0de-0000-7000-8000-000000000001.',
  },
}

function parseAuditUrl(queries: Readonly<Record<string, string>>, zone: string) {
  const timeParsers = {
    from: { parse: (text: string) => parseRangeStart(text, zone), explain: makeInvalidDayMessage },
    to: { parse: (text: string) => parseRangeEnd(text, zone), explain: makeInvalidDayMessage },
  }
  const { values, ...parsed } = parsePageFilter({ ...fieldParsers, ...timeParsers }, queries)
  const { action, who, subject, from, to } = values
  if (from !== undefined && to !== undefined && from >= to) {
    parsed.faults.to = 'Choose a day on or after the first day.'
  }
  const filter: AuditFilter = { action, subject, ...who, since: from, until: to }
  return { ...parsed, filter }
}

type AuditUrl = ReturnType<typeof parseAuditUrl>

/** The browser checks this pattern before it sends the form, so that no URL contains personal data typed by mistake. */
const idFormat = {
  pattern: leadIdPattern,
  description: '36 digits, letters and hyphens. Search for a person on the Leads page.',
}

function makeAuditFields({ given, filter, faults }: AuditUrl, { operators, users }: AuditActors) {
  const actors = [
    ...operators.map(({ id, email }) => ({ value: id, label: email })),
    ...users.map((user) => ({ value: userPrefix + user, label: `${user}, on the command line` })),
  ]
  const isListed = given.who === '' || actors.some(({ value }) => value === given.who)
  const definitions = {
    action: {
      label: 'Action',
      options: auditActions.map((value) => ({ value, label: describeAuditAction(value) })),
    },
    who: {
      label: 'Actor',
      options: isListed ? actors : [...actors, { value: given.who, label: given.who }],
    },
    subject: { label: 'Target (an id)', only: idFormat },
    from: { label: 'From', type: 'date' as const },
    to: { label: 'To', type: 'date' as const },
  }
  return makeFilterFields(definitions, { ...given, action: filter.action ?? given.action }, faults)
}

interface AuditPageProps {
  /** The entries to list; undefined if the filter in the URL is invalid. */
  entries: readonly AuditEntryRow[] | undefined
  fields: readonly FilterFieldProps[]
  isFiltered: boolean
  older: string | undefined
  /** The filter to export, as a query string; undefined if the page lists no entry or the role may not export. */
  exportQuery: string | undefined
}

type AuditTarget =
  | { readonly id: string; readonly name: string | null }
  | { readonly leads: readonly string[] }
  | string

type AuditEntryRow = ReturnType<typeof toEntryRow>

const toEntryRow = (entry: AuditRecord) => ({
  ...entry,
  action: describeAuditAction(entry.action),
  target: toAuditTarget(entry),
  result: entry.outcome === null ? undefined : describeAuditedOutcome(entry.outcome),
})

const columns: readonly Column<AuditEntryRow>[] = [
  { heading: 'Time', isUnlabeled: true, cell: ({ at }) => <Timestamp at={at} /> },
  { heading: 'Actor', isUnlabeled: true, cell: ({ who }) => who },
  { heading: 'Action', isOneLine: true, isUnlabeled: true, cell: ({ action }) => action },
  {
    heading: 'Target',
    isUnlabeled: true,
    cell: ({ target }) => target && <AuditTargetLink target={target} />,
  },
  {
    heading: 'Reason, changes',
    isWide: true,
    cell: ({ reason, changes }) =>
      (reason !== null || changes.length > 0) && (
        <>
          {reason}
          <ChangedValues changes={changes} />
        </>
      ),
  },
  { heading: 'Result', isWide: true, cell: ({ result }) => result },
  { heading: 'Network', cell: ({ via, network }) => network ?? via },
]

function AuditTargetLink({ target }: { target: AuditTarget }) {
  if (typeof target === 'string') return target
  // This link filters the audit log by the target.
  if ('id' in target) {
    const { id, name } = target
    return <a href={`/audit?subject=${id}`}>{name ?? <ShortReference id={id} />}</a>
  }
  if (target.leads.length <= 2) return <LeadLinks ids={target.leads} />
  return (
    <details>
      <summary>{pluralize(target.leads.length, 'lead')}</summary>
      <LeadLinks ids={target.leads} />
    </details>
  )
}

/** Shows a value of an entry. Entries keep times as ISO 8601 in UTC; the page shows them in the school's zone. */
function ChangedValue({ text }: { text: string }) {
  const at = Date.parse(text)
  const isTime = Number.isFinite(at) && new Date(at).toISOString() === text
  return isTime ? <Timestamp at={at} format="seconds" /> : text || 'none'
}

const ChangedValues = ({ changes }: Pick<AuditEntryRow, 'changes'>) => (
  <div className={ownStyles.changes}>
    {changes.map(([name, before, after]) => (
      <div key={name}>
        {name}: <ChangedValue text={before} /> → <ChangedValue text={after} />
      </div>
    ))}
  </div>
)

function AuditPage(props: AuditPageProps) {
  const { entries, fields, isFiltered, older, exportQuery } = props
  return (
    <ConsolePage name="Audit">
      <FilterForm action="/audit" fields={fields} isFiltered={isFiltered} />
      {exportQuery !== undefined && (
        <div className={styles.above}>
          <ExportForm
            action="/audit/export"
            name="Export these entries"
            query={exportQuery}
            hint="The file contains every matching entry, including operators’ email addresses. The audit log records the export."
          />
        </div>
      )}
      {entries !== undefined && (
        <DataTable
          name="Audit"
          isCompact
          columns={columns}
          rows={entries}
          empty={
            isFiltered
              ? 'No entries match. Remove a condition, or clear the filter.'
              : 'No entries yet. Changes to leads and operators, on the console or the command line, appear here.'
          }
          next={isFiltered ? { href: '/audit', label: 'Show all entries' } : undefined}
        />
      )}
      <NextPageLink href={older} text="Older" />
    </ConsolePage>
  )
}
