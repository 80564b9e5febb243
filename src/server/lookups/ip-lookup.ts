import { isIP } from 'node:net'
import * as v from 'valibot'
import { type CallResult, parseJson } from '#server/platform/call/http-call.ts'
import {
  callLookupService,
  classifyFailure,
  type LookupSettings,
  makeLookupFailure,
} from './lookup-service.ts'

/** Returns the service's `IPv4`, which may be words like "Not found"; undefined if the service did not answer. */
type IpLookup = (ip: string) => Promise<string | undefined>

/** Accepts an IP address, or words such as "IP Not found". A lead must not contain any other text. */
const replySchema = v.object({
  IPv4: v.pipe(
    v.string(),
    v.check((text) => isIP(text) !== 0 || /not found/i.test(text)),
  ),
})

export interface IpLookupSettings extends LookupSettings {
  /** The service's URL, in which `{ip}` stands for the visitor's IP address; empty if there is no service. */
  readonly url: string
}

/** Makes a client that never rejects, because a failing IP lookup service must not stop a lead (reading 9). */
export function makeIpLookup({ url, ...settings }: IpLookupSettings): IpLookup {
  if (url === '') return async () => undefined
  return async (ip) => {
    const request = {
      method: 'GET',
      url: url.replaceAll('{ip}', encodeURIComponent(ip)),
      headers: { accept: 'application/json' },
    } as const
    const found = await callLookupService(request, parseIpReply, settings)
    return found.kind === 'answered' ? found.ipv4 : undefined
  }
}

function parseIpReply(result: CallResult) {
  if (result.kind !== 'answered' || result.status !== 200) return classifyFailure(result)
  const reply = v.safeParse(replySchema, parseJson(result.body))
  return reply.success
    ? ({ kind: 'answered', ipv4: reply.output.IPv4 } as const)
    : makeLookupFailure('broken')
}
