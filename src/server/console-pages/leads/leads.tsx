import { Hono } from 'hono'
import { html } from '#console/render.ts'
import { MessagePage } from '#console/shell/console-page.tsx'
import { isAllowed } from '#domain/operator/rights.ts'
import { SearchEndedError } from '#server/leads/search-leads.ts'
import type { May } from '#server/operators/authorise.ts'
import type { ConsoleActor } from '#server/operators/operator.ts'
import type { ConsoleEnv } from '../console-env.ts'
import { readForm } from '../read-form.ts'
import type { AssertStillAllowed } from '../send-text.ts'
import { chosenColumns } from './chosen-columns.ts'
import { type ExportFoundLeads, sendExport } from './export.ts'
import {
  noExport,
  nothingToSearch,
  notSaved,
  searchEnded,
  viewNotSaved,
  viewRemoved,
  viewSaved,
} from './lead-notices.ts'
import { isValidRequest, leadsAddress, readAddressIn, readAddressOf } from './leads-address.ts'
import { type ShowLeadsPorts, showLeads } from './show-leads.tsx'

export interface LeadsPorts extends ShowLeadsPorts {
  readonly searchForPerson: (actor: ConsoleActor, text: string) => Promise<string | undefined>
  readonly exportFoundLeads: ExportFoundLeads
  readonly assertStillMay: AssertStillAllowed
  readonly may: May
  readonly clock: () => number
  readonly isSecure: boolean
}

export function leads(ports: LeadsPorts) {
  const { searchForPerson, manageViews, shellOf, notice, may, isSecure, clock } = ports
  const show = showLeads(ports)
  return new Hono<ConsoleEnv>()
    .get('/leads', (c) => show(c, readAddressOf(c)))
    .post('/leads/search', async (c) => {
      const { search, query } = await readForm(c, 'search', 'query')
      const asked = readAddressIn(query)
      const searchId = await searchForPerson(c.get('actor'), search)
      // The typed text may be somebody's: it is returned in the page, never in an address.
      return searchId === undefined
        ? show(c, asked, {
            message: nothingToSearch(isAllowed(c.get('actor').role, 'search for a person')),
            search,
          })
        : c.redirect(leadsAddress({ ...asked.address, searchId }), 303)
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
        const sent = await sendExport(c, ports, clock())
        if (sent !== undefined) return sent
        may(c.get('actor'), 'export leads')
        return refuse(noExport)
      } catch (error) {
        if (error instanceof SearchEndedError) return refuse(searchEnded)
        throw error
      }
    })
    .post('/leads/views', async (c) => {
      const { name, query, share, lacks } = await readForm(c, 'name', 'query', 'share')
      const asked = readAddressIn(query)
      const view = { name, query: asked.address.query, isShared: share === 'yes' }
      const outcome =
        lacks('query') || !isValidRequest(asked)
          ? 'not meant'
          : await manageViews.save(c.get('actor'), view)
      if (outcome !== 'saved') {
        return show(c, asked, { message: viewNotSaved(notSaved[outcome]), view })
      }
      notice.leave(c, '/leads', viewSaved(view.isShared))
      return c.redirect(leadsAddress({ query: view.query }), 303)
    })
    .post('/leads/views/remove', async (c) => {
      const { id } = await readForm(c, 'id')
      await manageViews.remove(c.get('actor'), id)
      notice.leave(c, '/leads', viewRemoved)
      return c.redirect('/leads', 303)
    })
}
