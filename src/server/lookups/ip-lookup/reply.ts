import { isIP } from 'node:net'
import * as v from 'valibot'

/** An address, or words such as "Not found" and "IP Not found": anything else must not reach a lead. */
const replySchema = v.object({
  IPv4: v.pipe(
    v.string(),
    v.check((text) => isIP(text) !== 0 || /not found/i.test(text)),
  ),
})

/** The reply's `IPv4`; undefined where it has none. */
export function readIpv4(reply: unknown): string | undefined {
  const parsed = v.safeParse(replySchema, reply)
  return parsed.success ? parsed.output.IPv4 : undefined
}
