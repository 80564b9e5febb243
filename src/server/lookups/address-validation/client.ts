import type { AddressFinding } from '#domain/enquiry/address/address-check.ts'
import { type CallResult, parseJson } from '#server/platform/call/call.ts'
import {
  type LookupSettings,
  lookUp,
  type Unavailable,
  unavailable,
  whyUnavailable,
} from '#server/platform/call/look-up.ts'
import { readErrorReasons, readFinding } from './reply.ts'

export interface AddressValidationSettings extends LookupSettings {
  /** Without a slash at its end, such as https://addressvalidation.googleapis.com. */
  readonly baseUrl: string
  readonly apiKey: string
}

export interface AnsweredAddress extends AddressFinding {
  readonly kind: 'answered'
}

/** The form's address validation. Never rejects. */
export type ValidateAddress = (
  address: string,
  zip: string,
) => Promise<AnsweredAddress | Unavailable>

/** Google's Address Validation. */
export function makeAddressValidation(settings: AddressValidationSettings): ValidateAddress {
  const { baseUrl, apiKey, ...lookup } = settings
  const url = `${baseUrl}/v1:validateAddress?alt=json&key=${encodeURIComponent(apiKey)}`
  return (address, zip) => {
    const request = {
      method: 'POST',
      url,
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify({ address: { addressLines: [`${address} ${zip}`] } }),
    } as const
    return lookUp(request, readAddress, lookup)
  }
}

function readAddress(result: CallResult): AnsweredAddress | Unavailable {
  if (result.kind !== 'answered') return whyUnavailable(result)
  const reply = parseJson(result.body)
  if (result.status !== 200) return whyUnavailable(result, readErrorReasons(reply))
  const finding = readFinding(reply)
  return finding ? { kind: 'answered', ...finding } : unavailable('broken')
}
