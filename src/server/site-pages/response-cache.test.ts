import type { IncomingMessage, ServerResponse } from 'node:http'
import { Hono } from 'hono'
import { expect, test } from 'vitest'
import { ResponseCache } from './response-cache.ts'

test('a response begun before a forget is not kept', async () => {
  const cache = new ResponseCache(
    { tokenCount: () => 0, missingCookies: () => [] },
    () => 'http://127.0.0.1',
  )
  const { promise: rendered, resolve } = Promise.withResolvers<void>()
  const app = new Hono<{ Variables: { readyBody: Uint8Array } }>()
  app.use(cache.capture)
  app.get('/:page', async (c) => {
    if (c.req.param('page') === 'slow') await rendered
    c.set('readyBody', new Uint8Array())
    return c.body('')
  })
  const isReplayed = (url: string) => {
    const response = { writeHead: () => undefined, end: () => undefined }
    const request = { method: 'GET', url, headers: {} }
    return cache.replay(request as IncomingMessage, response as unknown as ServerResponse)
  }

  const underWay = app.request('/slow')
  await app.request('/quick')
  expect(isReplayed('/quick')).toBe(true)
  cache.forget()
  resolve()
  await underWay
  expect(isReplayed('/quick')).toBe(false)
  expect(isReplayed('/slow')).toBe(false)
  await app.request('/slow')
  expect(isReplayed('/slow')).toBe(true)
})
