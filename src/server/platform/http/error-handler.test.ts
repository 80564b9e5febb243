import { Hono } from 'hono'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { makeErrorHandler } from './replies.ts'

test.each([
  ['/api/leads', 'application/problem+json'],
  ['/business', 'text/plain; charset=UTF-8'],
])('an error at %s is answered without its message, which the log has', async (path, type) => {
  const lines: string[] = []
  const routes = new Hono().get(path, () => {
    throw new Error('a surprise')
  })
  routes.onError(makeErrorHandler(pino({}, { write: (line) => lines.push(line) })))
  const reply = await routes.request(path, {}, {})
  expect(reply.status).toBe(500)
  expect(reply.headers.get('content-type')).toBe(type)
  expect(await reply.text()).not.toContain('surprise')
  expect(lines.join()).toContain('a surprise')
})

test('a failure of every request is logged once a minute for each kind', async () => {
  const lines: string[] = []
  const lost = () => Promise.reject(new Error('the database is away'))
  const routes = new Hono()
    .get('/', lost)
    .get('/business', () => lost())
    .get('/broken', () => Promise.reject(new TypeError('a surprise')))
  routes.onError(makeErrorHandler(pino({}, { write: (line) => lines.push(line) })))
  for (let visit = 0; visit < 20; visit++) {
    for (const path of ['/', '/business', '/broken']) await routes.request(path, {}, {})
  }
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { route: '/', method: 'GET', times: 1, msg: 'request failed' },
    { route: '/business' },
    { route: '/broken', err: { type: 'TypeError' } },
  ])
  expect(lines).toHaveLength(3)
})
