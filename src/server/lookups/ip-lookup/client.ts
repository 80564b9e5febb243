import type { IpLookup } from '#server/delivery/deliver-leads.ts'
import { type CallResult, parseJson } from '#server/platform/call/call.ts'
import {
  type LookupSettings,
  lookUp,
  unavailable,
  whyUnavailable,
} from '#server/platform/call/look-up.ts'
import { readIpv4 } from './reply.ts'

export interface IpLookupSettings extends LookupSettings {
  /** `{ip}` in it is replaced by the visitor's address. Empty: there is no service, and nothing is ever answered. */
  readonly url: string
}

/** The IP service. Never rejects: its fault must not hold up a lead (reading 9). */
export function makeIpLookup({ url, ...settings }: IpLookupSettings): IpLookup {
  if (url === '') return async () => undefined
  return async (ip) => {
    const request = {
      method: 'GET',
      url: url.replaceAll('{ip}', encodeURIComponent(ip)),
      headers: { accept: 'application/json' },
    } as const
    const found = await lookUp(request, readAddress, settings)
    return found.kind === 'answered' ? found.ipv4 : undefined
  }
}

function readAddress(result: CallResult) {
  if (result.kind !== 'answered' || result.status !== 200) return whyUnavailable(result)
  const ipv4 = readIpv4(parseJson(result.body))
  return ipv4 === undefined ? unavailable('broken') : ({ kind: 'answered', ipv4 } as const)
}
