import { mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { foldersAround } from '../../deploy/releases/folders.mjs'
import { ReleaseError } from '../../deploy/releases/release-error.mjs'
import { switchRelease } from '../../deploy/releases/switch.mjs'

const web = 'campus-enquiry@web-1.service'
const worker = 'campus-enquiry@worker.service'
const trial = 'campus-enquiry-trial@web-1.service'
const workersTrial = 'campus-enquiry-trial@worker.service'

/** Two processes. Whoever is restarted with a release in `fails` does not serve. */
function makeProduct(...names: readonly string[]) {
  const root = mkdtempSync(join(tmpdir(), 'releases-'))
  onTestFinished(() => rmSync(root, { recursive: true }))
  const folders = foldersAround(join(root, 'source/deploy/releases'))
  for (const name of names) {
    mkdirSync(join(folders.release(name), 'dist/server'), { recursive: true })
    writeFileSync(join(folders.release(name), 'dist/server/main.js'), '')
    mkdirSync(join(folders.release(name), 'catalogue'))
    mkdirSync(join(folders.release(name), 'content'))
    writeFileSync(join(folders.release(name), 'content/site.yaml'), `shipped with ${name}`)
    writeFileSync(join(folders.release(name), 'catalogue/programs.csv'), `shipped with ${name}`)
  }
  vi.stubEnv('CAMPUS_SETTINGS', root)
  onTestFinished(() => void vi.unstubAllEnvs())
  const asked: string[] = []
  const fails = new Set<string>()
  const units = {
    productUnits: async () => [web, worker],
    trialOf: (unit: string) => unit.replace('@', '-trial@'),
    stop: async (unit: string) => {
      asked.push(`stop ${unit}`)
    },
    restart: async (unit: string) => {
      const release = folders.linked(unit.includes('-trial@') ? 'next' : 'current')
      asked.push(`${unit} ${release}`)
      if (fails.has(`${unit} ${release}`)) throw new Error(`Job for ${unit} failed.`)
    },
  }
  const said: string[] = []
  const parts = { folders, units, say: (text: string) => void said.push(text) }
  return {
    root,
    folders,
    asked,
    fails,
    said,
    to: (name: string) => switchRelease(parts, name),
    back: () => switchRelease(parts, folders.linked('previous') ?? '', { untried: true }),
    links: () => [folders.linked('current'), folders.linked('previous')],
  }
}

test('a release is tried, becomes current, and each process is restarted with it; back is the same without the trial', async () => {
  const { to, back, asked, links } = makeProduct('1', '2')
  await to('1')
  asked.length = 0
  await to('2')
  expect(asked).toEqual([`${trial} 2`, `stop ${trial}`, `${web} 2`, `${worker} 2`])
  expect(links()).toEqual(['2', '1'])
  asked.length = 0
  await back()
  expect(asked).toEqual([`${web} 1`, `${worker} 1`])
  expect(links()).toEqual(['1', '2'])
})

test('a release that does not serve on its own changes nothing that runs', async () => {
  const { to, fails, asked, links } = makeProduct('1', '2')
  await to('1')
  asked.length = 0
  fails.add(`${trial} 2`)
  await expect(to('2')).rejects.toThrow(ReleaseError)
  expect(asked).toEqual([`${trial} 2`, `stop ${trial}`])
  expect(links()).toEqual(['1', undefined])
})

test('a process that does not come up with it takes all back, and back then leads where it led before', async () => {
  const { to, fails, asked, said, links } = makeProduct('1', '2', '3')
  await to('1')
  await to('2')
  asked.length = 0
  fails.add(`${worker} 3`)
  await expect(to('3')).rejects.toThrow('2 is current again.')
  expect(asked.slice(2)).toEqual([`${web} 3`, `${worker} 3`, `${worker} 2`, `${web} 2`])
  expect(said).toContain(`${worker} serves with 2 again.`)
  expect(links()).toEqual(['2', '1'])
})

test('a release goes a day after it was left, but never the one before', async () => {
  const { to, folders } = makeProduct('1', '2', '3', '4')
  const age = (name: string, hours: number) => {
    const then = new Date(Date.now() - hours * 3_600_000)
    utimesSync(folders.release(name), then, then)
  }
  for (const name of ['1', '2', '3']) await to(name)
  age('1', 25)
  age('2', 23)
  await to('4')
  expect(folders.installed().toSorted()).toEqual(['2', '3', '4'])
  age('3', 100)
  await to('2')
  await to('4')
  expect(folders.installed().toSorted()).toEqual(['2', '4'])
})

test('the one that is current: each one’s settings are tried, then each is restarted, up to one that does not serve', async () => {
  const { to, fails, asked, links } = makeProduct('1')
  await to('1')
  asked.length = 0
  await to('1')
  const tried = [`${trial} 1`, `stop ${trial}`, `${workersTrial} 1`, `stop ${workersTrial}`]
  expect(asked).toEqual([...tried, `${web} 1`, `${worker} 1`])
  asked.length = 0
  fails.add(`${web} 1`)
  await expect(to('1')).rejects.toThrow(`${web} does not serve`)
  expect(asked).toEqual([...tried, `${web} 1`])
  asked.length = 0
  fails.add(`${workersTrial} 1`)
  await expect(to('1')).rejects.toThrow(
    `1 does not serve with the settings of ${worker}, and nothing that runs was changed`,
  )
  expect(asked).toEqual(tried)
  expect(links()).toEqual(['1', undefined])
})

test('one that is not installed changes nothing', async () => {
  const { to, asked, links } = makeProduct('1')
  await to('1')
  asked.length = 0
  await expect(to('9')).rejects.toThrow('9 is not installed: campus-releases list')
  expect(asked).toEqual([])
  expect(links()).toEqual(['1', undefined])
})

test('the operator’s words are every release’s, file by file', async () => {
  const { root, folders, to } = makeProduct('1', '2')
  const wordsOf = (name: string, file: string) =>
    readFileSync(join(folders.release(name), 'content', file), 'utf8')
  mkdirSync(join(root, 'content'))
  writeFileSync(join(root, 'content/arts.yaml'), 'mine')
  await to('1')
  expect([wordsOf('1', 'arts.yaml'), wordsOf('1', 'site.yaml')]).toEqual(['mine', 'shipped with 1'])
  writeFileSync(join(root, 'content/site.yaml'), 'mine, too')
  await to('2')
  expect([wordsOf('2', 'arts.yaml'), wordsOf('2', 'site.yaml')]).toEqual(['mine', 'mine, too'])
})

test('a file that the operator has taken away again leaves the release’s own in its place', async () => {
  const { root, folders, to } = makeProduct('1')
  const site = join(folders.release('1'), 'content/site.yaml')
  mkdirSync(join(root, 'content'))
  writeFileSync(join(root, 'content/site.yaml'), 'mine')
  writeFileSync(join(root, 'programs.csv'), 'mine')
  await to('1')
  expect(readFileSync(site, 'utf8')).toBe('mine')
  rmSync(join(root, 'content'), { recursive: true })
  rmSync(join(root, 'programs.csv'))
  await to('1')
  expect(readFileSync(site, 'utf8')).toBe('shipped with 1')
  expect(readFileSync(join(folders.release('1'), 'catalogue/programs.csv'), 'utf8')).toBe(
    'shipped with 1',
  )
})

test('back to a release of before there were words to edit: its own stay in it', async () => {
  const { root, folders, to, links } = makeProduct('1', '2')
  mkdirSync(join(root, 'content'))
  writeFileSync(join(root, 'content/site.yaml'), 'mine')
  rmSync(join(folders.release('1'), 'content'), { recursive: true })
  await to('1')
  await to('2')
  await to('1')
  expect(links()).toEqual(['1', '2'])
})

test('the operator’s catalogue is every release’s, and an edit counts for all', async () => {
  const { root, folders, to } = makeProduct('1', '2')
  const catalogueOf = (name: string) =>
    readFileSync(join(folders.release(name), 'catalogue/programs.csv'), 'utf8')
  await to('1')
  expect(catalogueOf('1')).toBe('shipped with 1')
  writeFileSync(join(root, 'programs.csv'), 'mine')
  await to('2')
  await to('1')
  writeFileSync(join(root, 'programs.csv'), 'mine, edited')
  expect([catalogueOf('1'), catalogueOf('2')]).toEqual(['mine, edited', 'mine, edited'])
})
