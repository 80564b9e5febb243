import { Hono } from 'hono'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { type ConsoleEnv, makeShellFactory } from '#console/console-services.ts'
import { handleConsoleError, renderPages } from './render-pages.tsx'

test.each([
  ['the database is away', { code: 'ECONNREFUSED' }, 503, 'PostgreSQL does not answer'],
  ['PostgreSQL stopped the query', { code: '57014' }, 503, 'Narrow the filter'],
  ['it is our fault', {}, 500, 'The fault is ours'],
])('where %s the page says so', async (_, error, status, words) => {
  const app = new Hono<ConsoleEnv>()
  const settings = {
    mode: 'production' as const,
    store: { dataDir: '', databaseUrl: undefined },
    delivery: { zone: 'UTC' },
  }
  const assets = { styles: '' }
  const shellOf = makeShellFactory({ assets, settings, clock: Date.now }, () => '')
  app.use(
    renderPages({ shellOf, flash: { take: () => undefined, redirect: () => Response.error() } }),
  )
  app.onError(handleConsoleError(pino({ level: 'silent' })))
  app.get('/leads', () => {
    throw Object.assign(new Error('not read'), error)
  })
  const reply = await app.request('/leads', {}, {})
  expect(reply.status).toBe(status)
  expect(await reply.text()).toContain(words)
})
