import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { builtFile } from '#tests/product/built-file.ts'
import { type RunningProduct, startProcess } from '#tests/product/start-process.ts'

const root = resolve(import.meta.dirname, '../..')
const page = readFileSync(join(root, 'docs/deploy.md'), 'utf8')

const firstOf = (folder: string): string =>
  readdirSync(builtFile(`client/${folder}`)).find((name) => /\.(js|png)$/.test(name)) ?? ''

/** The page's table of paths with their `Cache-Control`, with a built file in place of each star. */
const rows = [...page.matchAll(/^\| `(\/[^`]*)` \| `([^`]+)` \|/gm)].map(
  ([, path = '', cacheControl = '']) => ({
    path: path.replace(/^\/(\w+)\/\*$/, (_, folder) => `/${folder}/${firstOf(folder)}`),
    cacheControl,
  }),
)

let product: RunningProduct
beforeAll(async () => {
  product = await startProcess({ ROLE: 'web' })
})
afterAll(() => product.stop())

test('docs/deploy.md lists the cache rules of a dozen paths', () => {
  expect(rows.length).toBeGreaterThan(10)
})

test.each(rows)('$path: $cacheControl', async ({ path, cacheControl }) => {
  const reply = await fetch(product.url + path, { redirect: 'manual' })
  expect(reply.status).toBe(path !== '/' && path.endsWith('/') ? 308 : 200)
  expect(reply.headers.get('cache-control')).toBe(cacheControl)
  // A shared cache would hand a response's cookie to everybody.
  if (cacheControl.startsWith('public')) expect(reply.headers.getSetCookie()).toEqual([])
})
