import { Hono } from 'hono'
import type { ZipLookupReply } from '#contract/lookups.ts'
import type { AddressServices } from '#domain/enquiry/address.ts'
import { addressServiceDown } from '#server/lookups/address-services.ts'
import { problem, send } from '#server/platform/http/replies.ts'
import { unprocessable } from './read-json.ts'

export interface LookupPorts {
  readonly addressServices: AddressServices
}

/** The form's ZIP lookup. */
export function zipLookups({ addressServices }: LookupPorts) {
  return new Hono().get('/zip-lookups/:zip', async (c) => {
    const zip = c.req.param('zip')
    if (!/^\d{5}$/.test(zip)) {
      return send(c, unprocessable([{ field: 'zip', message: 'Enter 5 digits.' }]))
    }
    try {
      return c.json((await addressServices.lookUpZip(zip)) satisfies ZipLookupReply)
    } catch {
      return problem(c, 503, addressServiceDown)
    }
  })
}
