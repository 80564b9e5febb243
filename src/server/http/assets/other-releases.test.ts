import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Hono } from 'hono'
import { afterAll, expect, test } from 'vitest'
import { otherReleases } from './other-releases.ts'

const root = mkdtempSync(join(tmpdir(), 'releases-'))
afterAll(() => rmSync(root, { recursive: true }))

function put(path: string, content = ''): void {
  mkdirSync(join(root, path, '..'), { recursive: true })
  writeFileSync(join(root, path), content)
}

const askIn = (release: string) => {
  const routes = new Hono().use(otherReleases(join(root, release, 'dist/client')))
  return (path: string) => routes.request(path)
}

put('releases/1/dist/client/assets/hydrate-11111111.js', 'one')
put('releases/1/dist/client/secret.txt', 'no')
put('releases/.2/dist/client/assets/hydrate-22222222.js', 'half made')
put('releases/3/dist/client/assets/hydrate-33333333.js', 'own')
put('clone/dist/client/assets/hydrate-44444444.js')
put('other/dist/client/assets/hydrate-55555555.js')

test('a script of another release is served for ever, even of one that came later', async () => {
  const ask = askIn('releases/3')
  const reply = await ask('/assets/hydrate-11111111.js')
  expect([reply.status, await reply.text()]).toEqual([200, 'one'])
  expect(reply.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
  expect(reply.headers.get('content-type')).toMatch(/^text\/javascript/)
  expect((await ask('/social/later-5.png')).status).toBe(404)
  put('releases/5/dist/client/social/later-5.png')
  expect((await ask('/social/later-5.png')).status).toBe(200)
})

test.each([
  '/assets/hydrate-22222222.js',
  '/assets/none.js',
  '/secret.txt',
  '/assets/../secret.txt',
  '/assets/..%2Fsecret.txt',
  '/assets/%2e%2e/secret.txt',
  '/assets/',
])('nothing else is: %s', async (path) => {
  expect((await askIn('releases/3')(path)).status).toBe(404)
})

test('a clone looks at nothing beside itself', async () => {
  expect((await askIn('clone')('/assets/hydrate-55555555.js')).status).toBe(404)
})
