import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { removeInventedFactsIn } from '#tests/content/without-invented-facts.ts'
import packageManifest from '../../package.json' with { type: 'json' }
import { copyProduct } from './copy-product.ts'
import { freePort } from './free-port.ts'
import { runToEnd } from './run-to-end.ts'
import { type RunningProduct, startProcess } from './start-process.ts'

const configurationFault = 78

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'enquiry-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  return folder
}

/** Copies the built product, with a catalogue that the test edits like an operator. */
async function copyWithCatalogue(edit: (catalogue: string) => string, folder: string) {
  const main = await copyProduct(folder)
  const file = join(folder, 'catalogue/programs.csv')
  await writeFile(file, edit(await readFile(file, 'utf8')))
  return main
}

async function takenPort(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return String((server.address() as AddressInfo).port)
}

const freePorts = async () => ({
  PORT: String(await freePort()),
  SANDBOX_PORT: '0',
  CONSOLE_PORT: '0',
  DATA_DIR: await temporaryFolder(),
})

const listed = (stderr: string) => stderr.split('\n').filter((line) => line.startsWith('  - '))

test('an invalid configuration: the server lists all errors at once and exits with 78', async () => {
  const ended = await runToEnd({
    PORT: 'eighty',
    ROLE: 'boss',
    DISTRIBUTOR_URL: 'ftp://user:secret@example.net',
    DELIVERY_TIMEOT: '15s',
  })
  expect(ended.code).toBe(configurationFault)
  expect(ended.stdout).toBe('')
  expect(ended.stderr).toMatch(/^The configuration needs to be corrected:\n/)
  expect(listed(ended.stderr).map((line) => line.split(' ')[3])).toEqual([
    'ROLE',
    'PORT',
    'DISTRIBUTOR_URL',
    'DELIVERY_TIMEOT',
  ])
  expect(ended.stderr).not.toMatch(/secret|eighty| at /)
})

test('production without settings lists everything that is missing, and exits with 78', async () => {
  const ended = await runToEnd({ APP_MODE: 'production' })
  expect(ended.code).toBe(configurationFault)
  for (const name of ['SITE_ORIGIN', 'DISTRIBUTOR_URL', 'GOOGLE_MAPS_API_KEY', 'CAMPAIGN_CODE']) {
    expect(ended.stderr).toContain(`  - ${name} is missing`)
  }
})

test('production lists the invented facts of the demo school until the operator removes them', async () => {
  const folder = await temporaryFolder()
  const main = await copyProduct(folder)
  const start = () => runToEnd({ APP_MODE: 'production' }, main)
  const ended = await start()
  expect(ended.code).toBe(configurationFault)
  expect(ended.stderr).toMatch(
    / {2}- content\/site\.yaml, line \d+: demo is true: the fact accreditor is invented/,
  )
  removeInventedFactsIn(join(folder, 'content'))
  expect((await start()).stderr).not.toContain('content/')
})

test('with invalid catalogue, texts and settings, the server lists each error, with file and line, and exits with 78', async () => {
  const folder = await temporaryFolder()
  await copyWithCatalogue(
    (catalogue) =>
      catalogue.replace('Business,Bachelors', 'Cooking,Bachelors').replace('\n2,', '\n1,'),
    folder,
  )
  const file = join(folder, 'content/business.yaml')
  const words = await readFile(file, 'utf8')
  await writeFile(file, words.replace('#68c2b8', '#222222').replace('{tuition}', '{price}'))
  await rm(join(folder, 'content/terms-conditions.md'))
  const ended = await runToEnd({ PORT: 'eighty' }, join(folder, 'dist/server/main.js'))
  expect(ended.code).toBe(configurationFault)
  expect(ended.stdout).toBe('')
  const ofCatalogue = listed(ended.stderr).filter((line) => line.includes('programs.csv'))
  expect(ofCatalogue).toHaveLength(2)
  expect(ended.stderr).toContain('  - PORT ')
  expect(ended.stderr).toMatch(/ {2}- catalogue\/programs\.csv, .*line 2\b.*Cooking/)
  expect(ended.stderr).toMatch(/ {2}- catalogue\/programs\.csv, .*line 3\b/)
  expect(ended.stderr).toMatch(
    / {2}- content\/business\.yaml, line \d+: dark-accent is hard to read/,
  )
  expect(ended.stderr).toMatch(
    / {2}- content\/business\.yaml, line \d+: facts has \{price\}, which is not a placeholder/,
  )
  expect(ended.stderr).toContain('  - content/terms-conditions.md: the file is missing')
})

describe('files edited before and after the start', () => {
  let folder: string
  let product: RunningProduct
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'enquiry-'))
    await copyWithCatalogue((catalogue) => catalogue.replace('B.S.', 'B.Sc.'), folder)
    product = await startProcess({}, [join(folder, 'dist/server/main.js')])
  })
  afterAll(async () => {
    await product.stop()
    await rm(folder, { recursive: true })
  })

  /** The log lines of a reload: one about the catalogue, and one about the texts. */
  const reloads = () => product.log().match(/^.*(was reloaded|were reloaded|not loaded).*$/gm) ?? []

  async function reload(file: string, text: string, said: string) {
    await writeFile(join(folder, file), text)
    const before = reloads().length
    product.process.kill('SIGHUP')
    await expect.poll(() => reloads().length).toBe(before + 2)
    expect(reloads().slice(before).join()).toContain(said)
  }

  test('the server uses a catalogue, and an edited one after SIGHUP if it is valid', async () => {
    expect(JSON.parse(product.log())).toMatchObject({
      msg: 'ready',
      version: packageManifest.version,
      build: expect.stringMatching(/^[0-9a-f]{12}$/),
    })
    const file = 'catalogue/programs.csv'
    const served = await readFile(join(folder, file), 'utf8')
    const page = async () => (await fetch(`${product.url}/business`)).text()
    expect(await page()).toContain('B.Sc. Accounting')

    const broken = served.replace('B.Sc.', 'B.A.').replace('\n2,', '\n1,')
    await reload(file, broken, 'line 3: id 1 is on')
    expect(await page()).toContain('B.Sc. Accounting')

    await reload(file, served.replace('B.Sc.', 'B.A.'), '"msg":"the catalogue was reloaded"')
    expect(await page()).toContain('B.A. Accounting')
  })

  test('after SIGHUP, the server uses edited texts and colors if they are valid, with a matching policy', async () => {
    const file = 'content/business.yaml'
    const shipped = await readFile(join(folder, file), 'utf8')
    const page = async () => {
      const response = await fetch(`${product.url}/business`)
      const text = await response.text()
      const style = /<style>(.*?)<\/style>/s.exec(text)?.[1] ?? ''
      const hash = createHash('sha256').update(style).digest('base64')
      expect(response.headers.get('content-security-policy')).toContain(`'sha256-${hash}'`)
      return { text, tag: response.headers.get('etag') }
    }
    const before = await page()
    expect(before.text).toContain('Start moving up without stepping out')

    const broken = shipped.replace('headline: Start', 'headline: <b>Start</b>')
    await reload(file, broken, 'headline has HTML in it')
    expect(await page()).toEqual(before)

    const edited = shipped
      .replace('without stepping out', 'where you are')
      .replace('#0f5b57', '#4b3fa3')
    await reload(file, edited, '"msg":"the texts of content/ were reloaded"')
    const after = await page()
    expect(after.text).toContain('Start moving up where you are')
    expect(after.text).toContain('[data-area="business"]{--accent:#4b3fa3;')
    expect(after.tag).not.toBe(before.tag)
  })
})

test.each(['PORT', 'SANDBOX_PORT'])(
  'the error about %s in use is a sentence, not a stack trace',
  async (name) => {
    const port = await takenPort()
    const ended = await runToEnd({ ...(await freePorts()), [name]: port })
    expect(ended.code).toBe(1)
    expect(ended.stderr).toBe(
      `The product cannot start. Port ${port} on 127.0.0.1 is taken: ` +
        `end the program that uses it, or choose another port with ${name}.\n`,
    )
    expect(ended.stdout).not.toContain('ready')
  },
)

test('the server reports a HOST that is not this machine’s', async () => {
  const ended = await runToEnd({ ...(await freePorts()), HOST: '192.0.2.1' })
  expect(ended.code).toBe(1)
  expect(ended.stderr).toMatch(
    /^The product cannot start\. The server cannot listen on port \d+ of 192\.0\.2\.1 \(EADDRNOTAVAIL\): change HOST or PORT\.\n$/,
  )
})

test('the error about an invalid data folder names the setting to change', async () => {
  const folder = await temporaryFolder()
  await writeFile(join(folder, 'file'), '')
  const ended = await runToEnd({ ...(await freePorts()), DATA_DIR: join(folder, 'file', 'data') })
  expect(ended.code).toBe(1)
  expect(ended.stderr).toMatch(/^The product cannot start\. The data folder .*DATA_DIR\.\n$/)
})
