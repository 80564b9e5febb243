import { randomUUID } from 'node:crypto'
import { Hono } from 'hono'
import { LeadsPage } from '#console/leads/leads-page.tsx'
import { html } from '#console/render.ts'
import { MessagePage } from '#console/shell/message-page.tsx'
import { isAllowed } from '#domain/operator/rights.ts'
import { problem as problemReply } from '#server/http/problem.ts'
import {
  type BrowsedLeads,
  type BrowseOrder,
  SearchEndedError,
} from '#server/use-cases/leads/list/browse-leads.ts'
import { ListBehindError } from '#server/use-cases/leads/list/export-found-leads.ts'
import type { ExportProgress } from '#server/use-cases/leads/list/export-progress.ts'
import type { ManageViews } from '#server/use-cases/leads/list/saved-views.ts'
import type { ConsoleActor } from '#server/use-cases/operators/operator.ts'
import type { ConsoleContext, ConsoleEnv } from '../../console-env.ts'
import { readForm } from '../../read-form.ts'
import type { ShellOf } from '../../shell-of.ts'
import { chosenColumns } from './chosen-columns.ts'
import { type ExportFoundLeads, sendExport } from './export.ts'
import { filterForm, type KnownProgram } from './filter-form.ts'
import { leadList } from './lead-list.ts'
import { leadsAddress, partsOf, readCursor } from './leads-address.ts'
import { type AskedForLeads, isMeant, readAddressIn, readAddressOf } from './read-address.ts'
import {
  noExport,
  nothingToSearch,
  notSaved,
  searchEnded,
  tooFarBehind,
  unknownFilter,
} from './said-of-leads.ts'
import { viewLinks } from './view-links.ts'

export interface LeadsPorts {
  readonly shellOf: ShellOf
  readonly browseLeads: (actor: ConsoleActor, order: BrowseOrder) => Promise<BrowsedLeads>
  readonly searchForPerson: (actor: ConsoleActor, text: string) => Promise<string | undefined>
  readonly exportFoundLeads: ExportFoundLeads
  readonly readExportProgress: (
    actor: ConsoleActor,
    id: string,
  ) => Promise<ExportProgress | undefined>
  readonly manageViews: ManageViews
  readonly isSecure: boolean
  /** Those on offer now. */
  readonly programs: () => readonly KnownProgram[]
  readonly clock: () => number
}

const pageSize = 50

export function leads(ports: LeadsPorts) {
  const { searchForPerson, exportFoundLeads, manageViews, shellOf, isSecure, clock } = ports
  const show = showLeads(ports)
  return new Hono<ConsoleEnv>()
    .get('/leads', (c) => show(c, readAddressOf(c)))
    .post('/leads/search', async (c) => {
      const { search, query } = await readForm(c, 'search', 'query')
      const searchId = (await searchForPerson(c.get('actor'), search)) ?? ''
      return c.redirect(leadsAddress({ ...readAddressIn(query).address, searchId }), 303)
    })
    .post('/leads/columns', async (c) => {
      const { query, search, toggle } = await readForm(c, 'query', 'search', 'toggle')
      chosenColumns.toggle(c, toggle, isSecure)
      const address = { ...readAddressIn(query).address, searchId: search || undefined }
      return c.redirect(`${leadsAddress(address)}#columns`, 303)
    })
    .post('/leads/export', async (c) => {
      const refuse = (text: string) =>
        c.html(html(<MessagePage shell={shellOf(c)} name="Not exported" text={text} />), 409)
      try {
        return (await sendExport(c, exportFoundLeads, clock())) ?? refuse(noExport)
      } catch (error) {
        if (error instanceof ListBehindError) return refuse(tooFarBehind)
        if (error instanceof SearchEndedError) return refuse(searchEnded)
        throw error
      }
    })
    .get('/api/exports/:id', async (c) => {
      const progress = await ports.readExportProgress(c.get('actor'), c.req.param('id'))
      return progress === undefined
        ? problemReply(c, 404, 'No file of this id is being written for you.')
        : c.json(progress)
    })
    .post('/leads/views', async (c) => {
      const { name, query, share } = await readForm(c, 'name', 'query', 'share')
      const asked = readAddressIn(query)
      const view = { name, query: asked.address.query, isShared: share === 'yes' }
      const outcome = isMeant(asked) ? await manageViews.save(c.get('actor'), view) : 'not meant'
      return outcome === 'saved'
        ? c.redirect(leadsAddress({ query: view.query }), 303)
        : show(c, asked, { viewProblem: notSaved[outcome] })
    })
    .post('/leads/views/remove', async (c) => {
      const { id } = await readForm(c, 'id')
      await manageViews.remove(c.get('actor'), id)
      return c.redirect('/leads', 303)
    })
}

interface Problems {
  readonly problem?: string | undefined
  readonly searchProblem?: string | undefined
  readonly viewProblem?: string | undefined
}

const showLeads = (ports: LeadsPorts) => {
  const { shellOf, browseLeads, manageViews, programs, clock } = ports
  return async (c: ConsoleContext, asked: AskedForLeads, given: Problems = {}) => {
    const { read, address, cursor, unknownName } = asked
    const after = cursor === undefined ? undefined : readCursor(cursor, address)
    const found = await find()
    const { problem, searchProblem, viewProblem, list } = { ...given, ...found }
    const shell = shellOf(c)
    const { token } = shell
    const mayDo = (action: 'export leads' | 'run jobs' | 'share a view') =>
      isAllowed(c.get('actor').role, action)
    const views = await manageViews.list(c.get('actor'))
    const page = (
      <LeadsPage
        shell={shell}
        search={{
          query: address.query,
          endSearch: address.searchId ? leadsAddress({ query: address.query }) : undefined,
          unsearched: unsearchedInWords(found.browsed),
          problem: searchProblem,
        }}
        filter={filterForm(asked, programs())}
        problem={problem}
        list={list}
        views={{
          token,
          views: viewLinks(views, { actor: c.get('actor'), address }),
          query: problem === undefined ? address.query : '',
          mayShare: mayDo('share a view'),
          problem: viewProblem,
        }}
        acting={
          list && mayDo('run jobs') && list.rows.length > 0
            ? { parts: partsOf(address) }
            : undefined
        }
        columns={{
          token,
          shown: chosenColumns.read(c),
          query: address.query,
          searchId: address.searchId,
        }}
        exporting={
          list && mayDo('export leads') && list.rows.length > 0
            ? {
                token,
                action: '/leads/export',
                name: 'A file of these leads',
                query: address.query,
                searchId: address.searchId,
                progressId: randomUUID(),
                hint: 'With personal data; the audit has it.',
              }
            : undefined
        }
      />
    )
    const isWrong = problem ?? searchProblem ?? viewProblem
    return c.html(html(page), isWrong === undefined ? 200 : 400)

    async function find(): Promise<
      Problems & { readonly list?: ReturnType<typeof leadList>; readonly browsed?: BrowsedLeads }
    > {
      if (unknownName !== undefined) return { problem: unknownFilter(unknownName) }
      if (!isMeant(asked)) return { problem: 'This filter cannot be meant' }
      if (cursor !== undefined && after === undefined) {
        return { problem: 'This is a place in the list of another filter' }
      }
      const { searchId } = address
      if (searchId === '') return { searchProblem: nothingToSearch }
      try {
        const order = { filter: read.filter, searchId, after, take: pageSize }
        const browsed = await browseLeads(c.get('actor'), order)
        const isFirst = after === undefined
        return { browsed, list: leadList(browsed, { address, isFirst, now: clock() }) }
      } catch (error) {
        if (error instanceof SearchEndedError) return { searchProblem: searchEnded }
        throw error
      }
    }
  }
}

function unsearchedInWords(found: BrowsedLeads | undefined): string | undefined {
  const unsearched = found?.unsearched ?? 0
  if (unsearched === 0) return undefined
  return `${unsearched.toLocaleString('en-US')} that cannot be read were searched by email alone.`
}
