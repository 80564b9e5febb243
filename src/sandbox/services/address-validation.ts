import { Hono } from 'hono'
import * as v from 'valibot'
import { lookUpZip } from '#server/lookups/zip-data/look-up-zip.ts'
import { errorReply, type GoogleError, standInReply } from './address-validation-reply.ts'

const requestSchema = v.object({
  address: v.object({ addressLines: v.pipe(v.array(v.string()), v.minLength(1)) }),
})

/** Faults by ZIP, the same ZIPs as the geocoding stand-in's. */
const zipFaults: Readonly<Record<string, GoogleError>> = {
  '99999': { code: 429, status: 'RESOURCE_EXHAUSTED', reason: 'RATE_LIMIT_EXCEEDED' },
  '99998': { code: 403, status: 'PERMISSION_DENIED', reason: 'SERVICE_DISABLED' },
  '99997': { code: 503, status: 'UNAVAILABLE' },
}

/** Google's Address Validation of the sandbox. Takes every key but `Sandbox-Invalid-Key`. */
export function addressValidationStandIn() {
  const app = new Hono()
  app.post('/v1:validateAddress', async (c) => {
    if (c.req.query('key') === 'Sandbox-Invalid-Key') {
      return errorReply({ code: 400, status: 'INVALID_ARGUMENT', reason: 'API_KEY_INVALID' })
    }
    const request = v.safeParse(requestSchema, await c.req.json().catch(() => undefined))
    if (!request.success) return errorReply({ code: 400, status: 'INVALID_ARGUMENT' })
    const line = request.output.address.addressLines.join(' ').trim()
    const { street, zip } = parted(line)
    const fault = zipFaults[zip]
    if (fault) return errorReply(fault)
    return c.json(standInReply(street, zip, await lookUpZip(zip)))
  })
  return app
}

/** Street and ZIP, as our own client puts them into one line. */
function parted(line: string): { readonly street: string; readonly zip: string } {
  const [found, zip = ''] = /\b(\d{5})(?:-\d{4})?$/.exec(line) ?? ['']
  return { street: line.slice(0, line.length - found.length).trim(), zip }
}
