import { Hono } from 'hono'
import type { IpAddressReply } from '#contract/lookups.ts'
import { headOf } from '#server/platform/http/request-head.ts'
import type { VisitorIp } from '#server/platform/http/visitor-ip.ts'

interface IpAddressPorts {
  readonly visitorIp: VisitorIp
  /** The address as it would be sent with a lead (reading 9). */
  readonly lookUpIp: (ip: string) => Promise<string>
}

/** Whom the server takes the visitor for. */
export function ipAddress({ visitorIp, lookUpIp }: IpAddressPorts) {
  return new Hono().get('/ip-address', async (c) =>
    c.json({ IPv4: await lookUpIp(visitorIp(headOf(c))) } satisfies IpAddressReply),
  )
}
