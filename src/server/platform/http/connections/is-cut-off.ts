import type { HttpBindings } from '@hono/node-server'
import type { Context } from 'hono'

/** Whether the visitor went away, or was too slow, before the request was there whole: nobody hears the answer. */
export function isCutOff(c: Context): boolean {
  const { incoming } = c.env as Partial<HttpBindings>
  return incoming?.destroyed === true && !incoming.complete
}
