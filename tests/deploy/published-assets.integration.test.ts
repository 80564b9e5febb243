import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { startProcess } from '#tests/product/start-process.ts'
import { makeRelease } from './release-folders.ts'

const run = promisify(execFile)
const script = resolve(import.meta.dirname, '../../deploy/publish-assets.mjs')
const hour = 60 * 60 * 1000

async function ownFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'published-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  return folder
}

/** Publishes a release's files as its container does before the web processes start. */
async function publish(release: string, folder: string) {
  const own = join(release, 'deploy/publish-assets.mjs')
  await cp(script, own, { recursive: true })
  return run(process.execPath, [own], { env: { ASSETS_DIR: folder } })
}

test('of two releases that share only the folder, each serves the scripts of the other’s pages', async () => {
  const root = await ownFolder()
  const folder = join(root, 'assets')
  const places = [
    { home: join(root, 'one'), name: '1.0.0-a' },
    { home: join(root, 'two'), name: '1.1.0-b' },
  ]
  const [before, after] = await Promise.all(
    places.map(async ({ home, name }) => {
      await makeRelease(home, name, name.at(-1) ?? '')
      const release = join(home, 'releases', name)
      const product = await startProcess({ ASSETS_DIR: folder, SANDBOX_PORT: '0' }, [
        join(release, 'dist/server/main.js'),
      ])
      onTestFinished(product.stop)
      const page = await (await fetch(`${product.url}/business`)).text()
      const path = /\/assets\/hydrate-[\w-]+\.js/.exec(page)?.[0] ?? ''
      return { release, product, path }
    }),
  )
  if (before === undefined || after === undefined) throw new Error('there are two')
  expect(before.path).not.toBe(after.path)
  const cross = [before.product.url + after.path, after.product.url + before.path]
  // No release has published its files, so each logs that, and the other release's script is missing.
  for (const url of cross) expect((await fetch(url)).status).toBe(404)
  for (const { product } of [before, after]) {
    await expect.poll(product.log).toContain('ASSETS_DIR lacks the browser files')
  }

  for (const { release } of [before, after]) await publish(release, folder)
  for (const url of cross) {
    const reply = await fetch(url, { headers: { 'accept-encoding': 'br' } })
    expect(reply.status).toBe(200)
    expect(reply.headers.get('content-encoding')).toBe('br')
    expect(reply.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(reply.headers.get('x-content-type-options')).toBe('nosniff')
  }
  const own = await (await fetch(after.product.url + after.path)).text()
  expect(await (await fetch(before.product.url + after.path)).text()).toBe(own)
})

/** Makes a release with only the files that publishing reads. */
async function smallRelease(root: string, version: string): Promise<string> {
  const release = join(root, version)
  await mkdir(join(release, 'dist/client/assets'), { recursive: true })
  await writeFile(join(release, 'package.json'), JSON.stringify({ version }))
  await writeFile(join(release, `dist/client/assets/hydrate-${version}.js`), version)
  return release
}

test('a replaced release’s files stay for a day, and a running release’s files stay as long as it runs', async () => {
  const root = await ownFolder()
  const folder = join(root, 'assets')
  const [first, second, third] = await Promise.all(
    ['1.0.0', '2.0.0', '3.0.0'].map((version) => smallRelease(root, version)),
  )
  const there = async () =>
    (await readdir(folder)).filter((name) => !name.startsWith('.')).map((name) => name.slice(0, 5))
  const hoursPass = async (hours: number) => {
    const then = new Date(Date.now() - hours * hour)
    for (const name of await readdir(folder)) await utimes(join(folder, name), then, then)
  }
  await publish(first ?? '', folder)
  await hoursPass(1000)
  await publish(first ?? '', folder)
  await publish(second ?? '', folder)
  expect(await there()).toEqual(['1.0.0', '2.0.0'])
  await hoursPass(23)
  await publish(third ?? '', folder)
  expect(await there()).toEqual(['1.0.0', '2.0.0', '3.0.0'])
  await hoursPass(25)
  // After going back, the release that was replaced is current again.
  await publish(second ?? '', folder)
  expect(await there()).toEqual(['2.0.0', '3.0.0'])
  const [name = ''] = await readdir(folder).then((names) => names.filter((one) => one[0] === '2'))
  expect(await readFile(join(folder, name, 'assets/hydrate-2.0.0.js'), 'utf8')).toBe('2.0.0')
})

test('the error for a read-only folder is one sentence', async () => {
  const root = await ownFolder()
  const release = await smallRelease(root, '1.0.0')
  await writeFile(join(root, 'file'), '')
  await expect(publish(release, join(root, 'file/assets'))).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringMatching(
      /^The browser files could not be copied to .* \(E.*\)\. No process/,
    ),
  })
})
