import { Hono } from 'hono'
import { expect, test } from 'vitest'
import { PageCache } from './page-cache.ts'

const own = 'https://campus.example'

/** A server with one page; `rendered` lists the origins that it rendered the page for, in order. */
function server() {
  const cache = new PageCache(own)
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

test("made-up origins never push the site's own pages out of the cache", async () => {
  const { get, rendered } = server()
  for (let index = 0; index < 20; index++) await get(`https://made-up-${index}.example`)
  rendered.length = 0
  const reply = await get(own)
  await get('https://another.example')
  await get(own)
  expect(rendered).toEqual([own, 'https://another.example'])
  expect(reply.headers.get('etag')).not.toBeNull()
  expect(await reply.text()).toContain(own)
})

test('the other origins that were used last are kept', async () => {
  const { get, rendered } = server()
  for (const name of ['a', 'b', 'c', 'a', 'd', 'a', 'b']) await get(`https://${name}.example`)
  expect(rendered.map((origin) => origin[8])).toEqual(['a', 'b', 'c', 'd', 'b'])
})
