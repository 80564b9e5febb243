import { ipToSend, toDistributorLead } from '#domain/lead/distributor-lead.ts'
import type { Lead } from '#domain/lead/lead.ts'
import { readFailingRun, readRecentAnswers } from '#server/console-pages/read-overview.ts'
import { encodeLead } from '#server/delivery/distributor.ts'
import { makeHoldDeliveries } from '#server/delivery/hold-deliveries.ts'
import { makeReadDeliveries } from '#server/delivery/read-deliveries.ts'
import { makeActOnLead } from '#server/jobs/act-on-lead.ts'
import { findJobActs, makeJobs } from '#server/jobs/jobs.ts'
import { makeBrowseLeads } from '#server/leads/browse-leads.ts'
import { makeExportFoundLeads } from '#server/leads/export-leads.ts'
import { makeReviewQuarantine } from '#server/leads/review-quarantine.ts'
import { makeManageViews } from '#server/leads/saved-views.ts'
import { makeSearchForPerson } from '#server/leads/search-leads.ts'
import { makeViewLead } from '#server/leads/view-lead.ts'
import { timedCache } from '#server/platform/timed-cache.ts'
import type { RoleParts } from '../role-parts.ts'
import { makeDayFigures } from './console-counts.ts'

interface LeadFunctionsParts extends Pick<RoleParts, 'settings' | 'store' | 'clock'> {
  /** Called when a job was started or changed. */
  readonly onJob: () => void
  readonly countRevealsRefused: () => void
}

/** Counting a million leads takes 0.3 s. This factor limits it to a twentieth of the store's time while somebody looks. */
const countCacheFactor = 20

/** The console's functions on leads and deliveries. */
export function makeLeadFunctions({
  settings,
  store,
  clock,
  onJob,
  countRevealsRefused,
}: LeadFunctionsParts) {
  const { forConsole } = store
  const { archive, audit, index: finder, database } = forConsole
  const readBreaker = () => forConsole.breaker.read()
  const stats = timedCache(
    async () => {
      const countedAt = clock()
      return { ...(await archive.stats(countedAt)), countedAt }
    },
    { times: countCacheFactor },
  )
  const viewLead = makeViewLead({
    findJobActs: (id, take) => findJobActs(database.db, id, take),
    archive,
    readBreaker,
    audit,
    bodyOf: makeBodyOf(settings),
    clock,
    onTooManyRevealed: countRevealsRefused,
  })
  return {
    archive,
    viewLead,
    reviewQuarantine: makeReviewQuarantine({ ...forConsole, finder, viewLead, clock }),
    actOnLead: makeActOnLead({ ...store, clock }),
    jobs: makeJobs(database, { finder, audit, clock, onWork: onJob }),
    holdDeliveries: makeHoldDeliveries({ ...store, clock }),
    readDeliveries: makeReadDeliveries({ ...forConsole, clock }),
    browseLeads: makeBrowseLeads({ finder, archive, clock }),
    exportFoundLeads: makeExportFoundLeads({
      finder,
      pages: forConsole.pages,
      audit,
      clock,
    }),
    manageViews: makeManageViews(database.db, clock),
    searchForPerson: makeSearchForPerson({ finder, audit, onTooMany: countRevealsRefused, clock }),
    overview: {
      stats,
      figures: makeDayFigures((days) => finder.readFigures(days), {
        clock,
        lifetimeFactor: countCacheFactor,
      }),
      readAnswers: timedCache(() => readRecentAnswers(forConsole.rollups, clock()), {
        times: countCacheFactor,
      }),
      readBreaker,
      readFailing: () => readFailingRun(store.rollups),
    },
  }
}

/** Builds the request body as the worker would, but without asking the IP service. */
const makeBodyOf =
  ({ campaign, fallbackIp, thirdParties }: RoleParts['settings']) =>
  (lead: Lead) => {
    const ip = ipToSend(lead.consent.ip, fallbackIp)
    return encodeLead(toDistributorLead(lead, campaign, ip), thirdParties.distributorEncoding)
  }
