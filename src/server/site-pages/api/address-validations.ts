import { Hono } from 'hono'
import { type AddressValidationReply, addressValidationRequest } from '#contract/lookups.ts'
import { addressServiceDown } from '#server/lookups/address-services.ts'
import { problem, send } from '#server/platform/http/replies.ts'
import { headOf } from '#server/platform/http/request-head.ts'
import { readJson } from './read-json.ts'
import type { LookupPorts } from './zip-lookups.ts'

/** The form's address validation: what was found, with fields absent where nothing was. */
export function addressValidations({ addressServices }: LookupPorts) {
  return new Hono().post('/address-validations', async (c) => {
    const body = readJson(headOf(c), await c.req.text(), addressValidationRequest)
    if (!body.ok) return send(c, body.reply)
    try {
      const { address, zip } = body.value
      const { postalAddress, doubts } = await addressServices.validateAddress(address, zip)
      return c.json({
        result: { address: { postalAddress }, ...(doubts.length > 0 ? { doubts } : {}) },
      } satisfies AddressValidationReply)
    } catch {
      return problem(c, 503, addressServiceDown)
    }
  })
}
