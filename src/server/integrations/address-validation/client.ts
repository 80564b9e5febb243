import type { PostalAddress } from '#domain/enquiry/address-check.ts'
import { call } from '../call.ts'
import { parseJson } from '../parse-json.ts'
import { faultOf, type Unavailable, unavailable } from '../unavailable.ts'
import { readErrorReasons, readPostalAddress } from './reply.ts'

export interface AddressValidationSettings {
  /** Scheme and host, such as https://addressvalidation.googleapis.com. */
  readonly baseUrl: string
  readonly apiKey: string
  /** Milliseconds. */
  readonly timeoutMs: number
}

/** Form call 2 of section 7. Never rejects. */
export type ValidateAddress = (
  address: string,
  zip: string,
) => Promise<{ readonly kind: 'answered'; readonly postalAddress: PostalAddress } | Unavailable>

/** Google's Address Validation: third-party call 3 of section 7. */
export function makeAddressValidation(settings: AddressValidationSettings): ValidateAddress {
  const { baseUrl, apiKey, timeoutMs } = settings
  const url = `${baseUrl.replace(/\/+$/, '')}/v1:validateAddress?alt=json&key=${encodeURIComponent(apiKey)}`
  return async (address, zip) => {
    const result = await call({
      method: 'POST',
      url,
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify({ address: { addressLines: [`${address} ${zip}`] } }),
      timeoutMs,
    })
    if (result.kind !== 'answered') return faultOf(result)
    const reply = parseJson(result.body)
    if (result.status !== 200) return faultOf(result, readErrorReasons(reply))
    const postalAddress = readPostalAddress(reply)
    return postalAddress ? { kind: 'answered', postalAddress } : unavailable('broken')
  }
}
