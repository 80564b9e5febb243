import { type Context, Hono } from 'hono'
import * as v from 'valibot'
import {
  type AddressValidationReply,
  addressValidationRequestSchema,
  type ProgramItem,
  programsQuerySchema,
  type ZipLookupReply,
} from '#contract/lookups.ts'
import { maxReportBytes } from '#contract/visit-report.ts'
import { educationLevels, isProgramOpenTo, type Program } from '#domain/catalogue/catalogue.ts'
import { startDates } from '#domain/enquiry/rules.ts'
import { addressServiceDownMessage } from '#server/lookups/address-validation.ts'
import { sendProblem, sendReply } from '#server/platform/http/replies.ts'
import {
  limitBody,
  makeUnprocessableReply,
  maxBodyBytes,
  parseRequest,
  refuseEncodedBody,
  toFieldProblems,
} from '#server/platform/http/request-body.ts'
import { toRequestHead } from '#server/platform/http/request-head.ts'
import type { SiteServices } from '#site/site-services.ts'
import { makeLeadHandler } from './lead-handler.ts'

/** The API paths that call a third party, which may charge for each call. */
const paidPaths = ['/zip-lookups/*', '/address-validations', '/ip-address']

/** Makes the routes of the site's own API: JSON in and out, errors as problem+json (RFC 9457). */
export function apiRoutes(services: SiteServices) {
  const { programs, addressServices } = services
  const handleLead = makeLeadHandler(services)
  return new Hono()
    .use(async (c, next) => {
      await next()
      // `c.header` would turn a finished response into one with a streamed body.
      c.res.headers.set('Cache-Control', 'no-store')
    })
    .use(async (c, next) =>
      services.isSameOrigin(toRequestHead(c))
        ? next()
        : sendProblem(c, 403, 'This API answers only the pages of its own site.'),
    )
    .post('/events', (c) => handleVisitReport(c, services))
    .use(services.xsrf.require)
    .use(refuseEncodedBody((c) => sendProblem(c, 415, 'Send the body without a Content-Encoding.')))
    .use(limitBody((c) => sendProblem(c, 413, `Send at most ${maxBodyBytes} bytes.`)))
    .on(['GET', 'POST'], paidPaths, services.limitLookups)
    .get('/programs', (c) => {
      const query = v.safeParse(programsQuerySchema, c.req.query())
      if (!query.success) return sendReply(c, makeUnprocessableReply(toFieldProblems(query.issues)))
      const { skip, take, active, type, educationLevel } = query.output
      const found = programs().filter(
        (program) =>
          (active === undefined || program.active === active) &&
          (type === undefined || program.types.includes(type)) &&
          (educationLevel === undefined || isProgramOpenTo(program, educationLevel)),
      )
      const items = found.slice(skip, skip + take).map(toProgramItem)
      return c.json({ items, total: found.length, skip, take })
    })
    .get('/education-levels', (c) => c.json(nameAsSpecified(educationLevels)))
    .get('/start-dates', (c) => c.json(nameAsSpecified(startDates)))
    .get('/zip-lookups/:zip', async (c) => {
      const zip = c.req.param('zip')
      if (!/^\d{5}$/.test(zip)) {
        return sendReply(c, makeUnprocessableReply([{ field: 'zip', message: 'Enter 5 digits.' }]))
      }
      try {
        return c.json((await addressServices.lookUpZip(zip)) satisfies ZipLookupReply)
      } catch {
        return sendProblem(c, 503, addressServiceDownMessage)
      }
    })
    .post('/address-validations', async (c) => {
      const body = parseRequest(
        toRequestHead(c),
        await c.req.text(),
        addressValidationRequestSchema,
      )
      if (!body.ok) return sendReply(c, body.reply)
      try {
        const { address, zip } = body.value
        const { postalAddress, doubts } = await addressServices.validateAddress(address, zip)
        return c.json({
          result: { address: { postalAddress }, ...(doubts.length > 0 ? { doubts } : {}) },
        } satisfies AddressValidationReply)
      } catch {
        return sendProblem(c, 503, addressServiceDownMessage)
      }
    })
    .get('/ip-address', async (c) =>
      c.json({ IPv4: await services.lookUpIp(services.visitorIp(toRequestHead(c))) }),
    )
    .post('/leads', async (c) =>
      sendReply(c, await handleLead(toRequestHead(c), await c.req.text())),
    )
    .all('*', (c) => sendProblem(c, 404, 'The API has no such call.'))
}

/** Receives a visit's report. A beacon has no XSRF header, so the route comes before the check of the token. */
async function handleVisitReport(
  c: Context,
  { visitReports, affiliate }: SiteServices,
): Promise<Response> {
  const head = toRequestHead(c)
  const isShort = Number(head.header('content-length') ?? Number.NaN) <= maxReportBytes
  if (isShort) visitReports.receive(head, await c.req.text(), affiliate.findId(c))
  return c.body(null, 204)
}

const toProgramItem = ({ id, name, active, types, degreeType }: Program): ProgramItem => ({
  id,
  name,
  ...(active ? { active } : {}),
  types,
  degreeType,
})

/** The names of section 3, which programs that call the API know. Pages have names of their own. */
const specifiedNames: Readonly<Record<string, string>> = {
  787: 'Some College',
  790: 'Associates Degree',
  791: 'Bachelors Degree',
  792: 'Masters Degree',
  'one-to-three-months': '1-3 Months',
  'four-to-six-months': '4-6 Months',
}

const nameAsSpecified = (
  options: readonly { readonly id: number | string; readonly name: string }[],
) => options.map(({ id, name }) => ({ id, name: specifiedNames[id] ?? name }))
