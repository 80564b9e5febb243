import { Hono } from 'hono'
import { expect, test } from 'vitest'
import { PageCache } from './page-cache.ts'

const own = 'https://campus.example'

/** A server with one page; `rendered` lists the origins that it rendered the page for, in order. */
function server() {
  const cache = new PageCache()
  const rendered: string[] = []
  const app = new Hono()
  app.get('/', (c) => {
    const origin = c.req.query('origin') ?? own
    return cache.send(c, origin, 'page', () => {
      rendered.push(origin)
      return `<a href="${origin}">`
    })
  })
  const get = (origin: string) => app.request(`/?${new URLSearchParams({ origin })}`)
  return { get, rendered }
}

test('a page is rendered once for each origin', async () => {
  const { get, rendered } = server()
  const reply = await get(own)
  for (const origin of ['https://another.example', own]) await get(origin)
  expect(rendered).toEqual([own, 'https://another.example'])
  expect(reply.headers.get('etag')).not.toBeNull()
  expect(await reply.text()).toContain(own)
})
