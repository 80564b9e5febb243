import { Hono } from 'hono'
import { LeadsPage } from '#console/leads/leads-page.tsx'
import { html } from '#console/render.ts'
import { filterQuery, readLeadFilter } from '#domain/lead/read-lead-filter.ts'
import {
  type BrowsedLeads,
  type BrowseOrder,
  SearchEndedError,
} from '#server/use-cases/leads/list/browse-leads.ts'
import type { ConsoleActor } from '#server/use-cases/operators/operator.ts'
import type { ConsoleEnv } from '../../console-env.ts'
import { readForm } from '../../read-form.ts'
import type { ShellOf } from '../../shell-of.ts'
import { filterForm, type KnownProgram } from './filter-form.ts'
import { leadList } from './lead-list.ts'
import { type LeadsAddress, leadsAddress, readCursor } from './leads-address.ts'

export interface LeadsPorts {
  readonly shellOf: ShellOf
  readonly browseLeads: (actor: ConsoleActor, order: BrowseOrder) => Promise<BrowsedLeads>
  readonly searchForPerson: (actor: ConsoleActor, text: string) => Promise<string | undefined>
  /** Those on offer now. */
  readonly programs: () => readonly KnownProgram[]
  readonly clock: () => number
}

const pageSize = 50

export function leads({ shellOf, browseLeads, searchForPerson, programs, clock }: LeadsPorts) {
  return new Hono<ConsoleEnv>()
    .get('/leads', async (c) => {
      const asked = readAddress(c.req.queries())
      const { read, address, cursor } = asked
      const after = cursor === undefined ? undefined : readCursor(cursor, address)
      const searchProblem = address.searchId === '' ? nothingToSearch : undefined
      const problem =
        Object.keys(read.faults).length > 0
          ? 'This filter cannot be meant'
          : cursor !== undefined && after === undefined
            ? 'This is a place in the list of another filter'
            : undefined
      const show = (more: { problem?: string; searchProblem?: string; found?: BrowsedLeads }) =>
        c.html(
          html(
            <LeadsPage
              shell={shellOf(c)}
              search={{
                query: address.query,
                endSearch: address.searchId ? leadsAddress({ query: address.query }) : undefined,
                unsearched: unsearchedInWords(more.found),
                problem: more.searchProblem,
              }}
              filter={filterForm(asked, programs())}
              problem={more.problem}
              list={
                more.found &&
                leadList(more.found, { address, isFirst: after === undefined, now: clock() })
              }
            />,
          ),
          more.found === undefined ? 400 : 200,
        )
      if (problem !== undefined) return show({ problem })
      if (searchProblem !== undefined) return show({ searchProblem })
      try {
        const { filter } = read
        const { searchId } = address
        const order = { filter, searchId, after, take: pageSize }
        return show({ found: await browseLeads(c.get('actor'), order) })
      } catch (error) {
        if (error instanceof SearchEndedError) return show({ searchProblem: searchEnded })
        throw error
      }
    })
    .post('/leads/search', async (c) => {
      const { search, query } = await readForm(c, 'search', 'query')
      const searchId = (await searchForPerson(c.get('actor'), search)) ?? ''
      const { address } = readAddress(queriesIn(query))
      return c.redirect(leadsAddress({ ...address, searchId }), 303)
    })
}

const nothingToSearch =
  'Type a whole email address, phone number, last name or reference. Nobody was searched for.'
const searchEnded = 'That search is over: it is kept for an hour, for you alone. Search again.'

type Queries = Readonly<Record<string, readonly string[]>>

const queriesIn = (query: string): Queries => {
  const params = new URLSearchParams(query)
  return Object.fromEntries([...params.keys()].map((name) => [name, params.getAll(name)]))
}

function readAddress(queries: Queries) {
  const read = readLeadFilter((name) => queries[name] ?? [])
  const address: LeadsAddress = { query: filterQuery(read.given), searchId: queries.search?.[0] }
  return { read, address, cursor: queries.after?.[0] }
}

export type AskedForLeads = ReturnType<typeof readAddress>

function unsearchedInWords(found: BrowsedLeads | undefined): string | undefined {
  const unsearched = found?.unsearched ?? 0
  if (unsearched === 0) return undefined
  return `${unsearched.toLocaleString('en-US')} that cannot be read were searched by email alone.`
}
