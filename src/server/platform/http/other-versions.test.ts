import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Hono } from 'hono'
import { afterAll, expect, test } from 'vitest'
import { findVersionFolderWithFile, serveFilesOfOtherVersions } from './assets.ts'

const root = mkdtempSync(join(tmpdir(), 'releases-'))
afterAll(() => rmSync(root, { recursive: true }))

function put(path: string, content = ''): void {
  mkdirSync(join(root, path, '..'), { recursive: true })
  writeFileSync(join(root, path), content)
}

const published = join(root, 'published')
put('published/0.1.0-1/assets/hydrate-66666666.js', 'plain')
put('published/0.1.0-1/assets/hydrate-66666666.js.br', 'brotli')
put('published/0.1.0-1/secret.txt', 'no')
put('published/.0.2.0-2/assets/hydrate-77777777.js', 'half copied')
put('published/.current', '0.1.0-1')
put('secret.js', 'no')
symlinkSync(join(root, 'secret.js'), join(published, '0.1.0-1/assets/link-88888888.js'))

const ask = async (path: string, headers: Record<string, string> = {}, folder = published) =>
  new Hono().use(serveFilesOfOtherVersions(folder)).request(path, { headers })

test('a script of another release may be cached forever, compressed or not, even if it was published later', async () => {
  const reply = await ask('/assets/hydrate-66666666.js')
  expect([reply.status, await reply.text()]).toEqual([200, 'plain'])
  expect(reply.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
  expect(reply.headers.get('content-type')).toMatch(/^text\/javascript/)
  const compressed = await ask('/assets/hydrate-66666666.js', { 'accept-encoding': 'br' })
  expect(compressed.headers.get('content-encoding')).toBe('br')
  expect(await compressed.text()).toBe('brotli')
  expect((await ask('/social/later-5.png')).status).toBe(404)
  put('published/0.5.0-5/social/later-5.png')
  expect((await ask('/social/later-5.png')).status).toBe(200)
})

test.each([
  '/assets/hydrate-77777777.js',
  '/assets/link-88888888.js',
  '/assets/none.js',
  '/secret.txt',
  '/assets/../secret.txt',
  '/assets/..%2Fsecret.txt',
  '/assets/%2e%2e/secret.txt',
  '/assets/..%2F..%2F.current',
  '/assets/',
  '/.current',
])('%s is not served', async (path) => {
  expect((await ask(path)).status).toBe(404)
})

test('the folder may be missing', async () => {
  const none = join(root, 'none')
  expect((await ask('/assets/hydrate-66666666.js', {}, none)).status).toBe(404)
  expect(await findVersionFolderWithFile('/assets/hydrate-66666666.js', none)).toBeUndefined()
})

test('only a complete release counts as published', async () => {
  expect(await findVersionFolderWithFile('/assets/hydrate-66666666.js', published)).toBe(
    join(published, '0.1.0-1'),
  )
  expect(await findVersionFolderWithFile('/assets/hydrate-77777777.js', published)).toBeUndefined()
})
