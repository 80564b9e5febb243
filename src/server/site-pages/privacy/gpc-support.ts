import { Hono } from 'hono'

/**
 * Says that the site abides by Global Privacy Control: https://w3c.github.io/gpc/#gpc-support-resource
 * `lastUpdate` is the day of that statement: it changes when what we do about the signal does.
 */
const support = { gpc: true, lastUpdate: '2026-11-21' }

export const gpcSupport = new Hono().get('/.well-known/gpc.json', (c) =>
  c.json(support, 200, { 'cache-control': 'public, max-age=86400' }),
)
