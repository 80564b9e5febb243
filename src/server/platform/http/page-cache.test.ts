import { brotliCompressSync, constants } from 'node:zlib'
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

test('a stranger who asks for ever other pages pays for quick compression only', async () => {
  const cache = new PageCache()
  const html = Array.from({ length: 400 }, (_, row) => `<p>${row * row} programs</p>`).join('')
  const app = new Hono()
  app.get('/:program', (c) => cache.send(c, own, c.req.path, () => html))
  const ask = async (program: number) => {
    const reply = await app.request(`/${program}`, { headers: { 'accept-encoding': 'br' } })
    return (await reply.arrayBuffer()).byteLength
  }
  const best = brotliCompressSync(html, {
    params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY },
  }).length
  expect(await ask(0)).toBe(best)
  const sizes = await Promise.all(Array.from({ length: 576 }, (_, program) => ask(program)))
  expect(sizes.filter((size) => size === best).length).toBeLessThanOrEqual(60)
  cache.forget()
  expect(await ask(0)).toBe(best)
})
