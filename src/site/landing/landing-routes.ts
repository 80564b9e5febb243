import { type Context, Hono } from 'hono'
import { etag } from 'hono/etag'
import * as v from 'valibot'
import { type Area, areaDefinitions, areaIdPattern, areas, parseArea } from '#domain/area.ts'
import { findOfferedPrograms, findProgram, type Program } from '#domain/catalogue/catalogue.ts'
import { emptyEnquiry } from '#domain/enquiry/enquiry.ts'
import { thankYouStep } from '#domain/enquiry/steps.ts'
import { readVisitAttribution } from '#server/enquiries/attribution.ts'
import { hasGpcHeader, toRequestHead } from '#server/platform/http/request-head.ts'
import type { EnquiryProps, PostedFormResult } from '#site/enquiry/form-state.ts'
import { fillInAttribution, renderLanding } from '#site/render.tsx'
import { makeDocumentTitle } from '#site/shell/document.tsx'
import type { SiteServices } from '#site/site-services.ts'
import type { LinkedProgram } from './landing-page.tsx'
import {
  makePostEnquiryHandlers,
  type PostedFormStatus,
  programParam,
  receivedLeadParam,
} from './post-enquiry.ts'

function makeFormProps(services: SiteServices) {
  const { programs, currentYear, disclosure, pixels } = services
  return (c: Context, area: Area, posted?: PostedFormResult): EnquiryProps => {
    // A browser that asks not to sell data gets no pixel (reading 17).
    const pixelUrl = hasGpcHeader(toRequestHead(c)) ? '' : pixels[areaDefinitions[area].pixel]
    const offeredPrograms = findOfferedPrograms(programs(), area)
    const context = services.context(toRequestHead(c))
    const linked = findLinkedProgram(c, area, programs())
    return {
      area,
      programs: offeredPrograms,
      currentYear: currentYear(),
      title: makeDocumentTitle(context.texts.areas[area].title, context),
      school: context.names.school,
      operator: context.names.operator,
      disclosure,
      promise: context.texts.shared.promise,
      ...(pixelUrl === '' ? {} : { pixelUrl }),
      ...(linked?.kind === 'offered' ? { wantedProgram: linked.program.id } : {}),
      ...(posted ? { posted } : {}),
    }
  }
}

/** Finds the program that the page's URL names. A URL with several programs names none of them. */
function findLinkedProgram(
  c: Context,
  area: Area,
  catalogue: readonly Program[],
): LinkedProgram | undefined {
  const [id, ...others] = new Set((c.req.queries(programParam) ?? []).filter(Boolean))
  if (id === undefined) return undefined
  const only = others.length > 0 ? undefined : id
  const offered = findProgram(findOfferedPrograms(catalogue, area), only)
  if (offered) return { kind: 'offered', program: offered }
  const program = findProgram(catalogue, only)
  const home = areas.find((other) => areaDefinitions[other].programType === program?.types[0])
  return program && home ? { kind: 'elsewhere', program, area: home } : { kind: 'unknown' }
}

/** The id must be a UUID before it reaches the database, because PostgreSQL refuses texts with a NUL. */
const receivedId = v.fallback(v.optional(v.pipe(v.string(), v.uuid())), undefined)

const paths = ['/', `/:id{${areaIdPattern}}`]

export function landingRoutes(services: SiteServices) {
  const { cache, context, programs } = services
  const formProps = makeFormProps(services)
  const routes = new Hono()

  const send = (c: Context, form: EnquiryProps, attribution: string, status: PostedFormStatus) => {
    c.header('Cache-Control', 'private, no-cache')
    const notToSell = hasGpcHeader(toRequestHead(c))
    // After sending, only the thank-you screen uses the program id in the page's URL.
    const isSent = form.posted?.leadId !== undefined
    const linked = isSent ? undefined : findLinkedProgram(c, form.area, programs())
    const page = { form, attribution, notToSell, catalogue: programs(), linked }
    return c.html(renderLanding(context(toRequestHead(c)), page), status)
  }

  routes.on('GET', paths, etag(), async (c) => {
    const area = parseArea(c.req.param('id'))
    const leadId = v.parse(receivedId, c.req.query(receivedLeadParam))
    const affiliate = leadId === undefined ? undefined : await services.affiliateOf(leadId)
    if (affiliate !== undefined) {
      const enquiry = { ...emptyEnquiry, step: thankYouStep }
      const programId = c.req.query(programParam)
      const posted = { enquiry, errors: {}, leadId, ...affiliate, programId }
      const { pixelUrl, ...form } = formProps(c, area, posted)
      const isCounted = services.thankYouCookie.consume(c) === leadId && pixelUrl !== undefined
      return send(c, isCounted ? { ...form, pixelUrl } : form, '', 200)
    }
    const form = formProps(c, area)
    const head = toRequestHead(c)
    const notToSell = hasGpcHeader(head)
    // The key contains only the parts of the URL that change the form, so that the cache needs few pages.
    const linked = findLinkedProgram(c, area, programs())
    const linkedId = linked?.kind === 'unknown' ? linked.kind : linked?.program.id
    const key = [area, form.currentYear, notToSell, linkedId].join()
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
      () =>
        renderLanding(pageContext, {
          form,
          attribution: '',
          notToSell,
          catalogue: programs(),
          linked,
        }),
      attribution === '' ? undefined : (html) => fillInAttribution(html, attribution),
    )
  })

  routes.on(
    'POST',
    paths,
    ...makePostEnquiryHandlers(services, (c, area, posted, attribution, status) =>
      send(c, formProps(c, area, posted), attribution, status),
    ),
  )

  return routes
}
