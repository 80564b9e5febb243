import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Hono } from 'hono'
import { afterAll, describe, expect, test } from 'vitest'
import { isPublished, otherReleases } from './assets.ts'

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

describe('the folder that releases put their files into', () => {
  const askWith = (published: string) => {
    const routes = new Hono().use(otherReleases(join(root, 'clone/dist/client'), published))
    return (path: string, headers: Record<string, string> = {}) => routes.request(path, { headers })
  }
  const published = join(root, 'published')
  put('published/0.1.0-1/assets/hydrate-66666666.js', 'plain')
  put('published/0.1.0-1/assets/hydrate-66666666.js.br', 'brotli')
  put('published/.0.2.0-2/assets/hydrate-77777777.js', 'half made')
  put('published/.current', '0.1.0-1')
  put('secret.js', 'no')
  symlinkSync(join(root, 'secret.js'), join(published, '0.1.0-1/assets/link-88888888.js'))

  test('is served from as a release beside is, compressed, too', async () => {
    const ask = askWith(published)
    const reply = await ask('/assets/hydrate-66666666.js')
    expect([reply.status, await reply.text()]).toEqual([200, 'plain'])
    expect(reply.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    const compressed = await ask('/assets/hydrate-66666666.js', { 'accept-encoding': 'br' })
    expect(compressed.headers.get('content-encoding')).toBe('br')
    expect(await compressed.text()).toBe('brotli')
  })

  test.each([
    '/assets/hydrate-77777777.js',
    '/assets/link-88888888.js',
    '/assets/..%2F..%2F.current',
    '/.current',
  ])('gives out nothing else: %s', async (path) => {
    expect((await askWith(published)(path)).status).toBe(404)
  })

  test('may be away', async () => {
    const none = join(root, 'none')
    expect((await askWith(none)('/assets/hydrate-66666666.js')).status).toBe(404)
    expect(await isPublished('/assets/hydrate-66666666.js', none)).toBe(false)
  })

  test('has a release’s files, or not yet', async () => {
    expect(await isPublished('/assets/hydrate-66666666.js', published)).toBe(true)
    expect(await isPublished('/assets/hydrate-77777777.js', published)).toBe(false)
  })
})
