import { type Context, Hono } from 'hono'
import { etag } from 'hono/etag'
import * as v from 'valibot'
import { type Area, areaDefinitions, areaIdPattern, parseArea } from '#domain/area.ts'
import { findOfferedPrograms, findProgram } from '#domain/catalogue/catalogue.ts'
import { emptyEnquiry } from '#domain/enquiry/enquiry.ts'
import { thankYouStep } from '#domain/enquiry/steps.ts'
import { readVisitAttribution } from '#server/enquiries/attribution.ts'
import { hasGpcHeader } from '#server/enquiries/new-lead.ts'
import { toRequestHead } from '#server/platform/http/request-head.ts'
import type { EnquiryProps, PostedEnquiry } from '#site/enquiry/form-state.ts'
import { fillInAttribution, renderLanding } from '#site/render.tsx'
import { makeDocumentTitle } from '#site/shell/document.tsx'
import { makeThankYouCookie } from './cookies.ts'
import { makePostEnquiryHandlers } from './post-enquiry.ts'
import type { SiteServices } from './site-services.ts'

const programParam = 'program'

/** Makes a function that returns the form's props for an area. */
function makeFormProps(services: SiteServices) {
  const { programs, currentYear, disclosure, pixels } = services
  return (c: Context, area: Area, posted?: PostedEnquiry): EnquiryProps => {
    // A browser that asks not to sell data gets no pixel (reading 17).
    const pixelUrl = hasGpcHeader(toRequestHead(c)) ? '' : pixels[areaDefinitions[area].pixel]
    const offeredPrograms = findOfferedPrograms(programs(), area)
    const context = services.context(toRequestHead(c))
    // Ignores unknown ids, and programs that the form does not offer.
    const wanted = findProgram(offeredPrograms, c.req.query(programParam))
    return {
      area,
      programs: offeredPrograms,
      currentYear: currentYear(),
      title: makeDocumentTitle(context.words.areas[area].title, context),
      school: context.names.school,
      operator: context.names.operator,
      disclosure,
      promise: context.words.shared.promise,
      ...(pixelUrl === '' ? {} : { pixelUrl }),
      ...(wanted ? { wantedProgram: wanted.id } : {}),
      ...(posted ? { posted } : {}),
    }
  }
}

/** The query parameter with the lead's id in the address that a form without JavaScript redirects to. */
const receivedParam = 'received'

/** Only a UUID may reach the database: PostgreSQL cannot store a NUL in text. */
const receivedId = v.fallback(v.optional(v.pipe(v.string(), v.uuid())), undefined)

const paths = ['/', `/:id{${areaIdPattern}}`]

export function landingRoutes(services: SiteServices) {
  const { cache, context, programs } = services
  const formProps = makeFormProps(services)
  const firstThanksCookie = makeThankYouCookie(services.findOrigin)
  const routes = new Hono()

  const send = (
    c: Context,
    form: EnquiryProps,
    attribution: string,
    status: 200 | 422 | 429 | 503,
  ) => {
    c.header('Cache-Control', 'private, no-cache')
    const notToSell = hasGpcHeader(toRequestHead(c))
    const page = { form, attribution, notToSell, catalogue: programs() }
    return c.html(renderLanding(context(toRequestHead(c)), page), status)
  }

  routes.on('GET', paths, etag(), async (c) => {
    const area = parseArea(c.req.param('id'))
    const leadId = v.parse(receivedId, c.req.query(receivedParam))
    const affiliate = leadId === undefined ? undefined : await services.affiliateOf(leadId)
    if (affiliate !== undefined) {
      const enquiry = { ...emptyEnquiry, step: thankYouStep }
      const programId = c.req.query(programParam)
      const posted = { enquiry, errors: {}, leadId, ...affiliate, programId }
      const { pixelUrl, ...form } = formProps(c, area, posted)
      const isCounted = firstThanksCookie.take(c) === leadId && pixelUrl !== undefined
      return send(c, isCounted ? { ...form, pixelUrl } : form, '', 200)
    }
    const form = formProps(c, area)
    const head = toRequestHead(c)
    const notToSell = hasGpcHeader(head)
    // The cache key contains only the parts of the address that change the form, so that there are as many pages as
    // programs, not as many as addresses.
    const key = [area, form.currentYear, notToSell, form.wantedProgram].join()
    const pageContext = context(head)
    const { searchParams } = new URL(c.req.url)
    const origin = services.findOrigin(head)
    const attribution = readVisitAttribution(
      head,
      searchParams,
      origin,
      services.settings.clickIdParam,
    )
    return cache.send(
      c,
      pageContext.siteOrigin,
      key,
      () => renderLanding(pageContext, { form, attribution: '', notToSell, catalogue: programs() }),
      attribution === '' ? undefined : (html) => fillInAttribution(html, attribution),
    )
  })

  routes.on(
    'POST',
    paths,
    ...makePostEnquiryHandlers(services, {
      show: (c, area, posted, attribution, status) =>
        send(c, formProps(c, area, posted), attribution, status),
      thank: (c, leadId, programId) => {
        firstThanksCookie.give(c, leadId)
        // A redirect prevents a reload from sending the enquiry again.
        return c.redirect(makeThankYouUrl(c, leadId, programId), 303)
      },
    }),
  )

  return routes
}

/** Returns the page's own address, which keeps an affiliate id, plus the parameters of the thank-you page. */
function makeThankYouUrl(c: Context, leadId: string, programId: string): string {
  const { searchParams } = new URL(c.req.url)
  searchParams.set(receivedParam, leadId)
  searchParams.set(programParam, programId)
  // The raw address would be unsafe: browsers read `/\host` as another site.
  const id = c.req.param('id')
  return `/${id === undefined ? '' : encodeURIComponent(id)}?${searchParams}`
}
