import type { IpLookup } from '#server/use-cases/deliver-leads.ts'
import { call } from '../call.ts'
import { parseJson } from '../parse-json.ts'
import { readIpv4 } from './reply.ts'

export interface IpLookupSettings {
  /** `{ip}` in it is replaced by the visitor's address. Empty: there is no service, and nothing is ever answered. */
  readonly url: string
  /** Milliseconds. */
  readonly timeoutMs: number
}

/** Third-party call 2 of section 7. Never rejects: its fault must not hold up a lead (ruling 9). */
export function makeIpLookup({ url, timeoutMs }: IpLookupSettings): IpLookup {
  if (url === '') return async () => undefined
  return async (ip) => {
    const result = await call({
      method: 'GET',
      url: url.replaceAll('{ip}', encodeURIComponent(ip)),
      headers: { accept: 'application/json' },
      timeoutMs,
    })
    if (result.kind !== 'answered' || result.status !== 200) return undefined
    return readIpv4(parseJson(result.body))
  }
}
