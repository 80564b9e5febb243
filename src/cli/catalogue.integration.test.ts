import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { sayVerb } from '#tests/cli/say-verb.ts'

const shipped = await readFile(resolve(import.meta.dirname, '../../catalogue/programs.csv'), 'utf8')

async function catalogueCheck(catalogue: string, ...args: string[]) {
  const folder = await mkdtemp(join(tmpdir(), 'catalogue-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const file = join(folder, 'programs.csv')
  await writeFile(file, catalogue)
  const dataDir = join(folder, 'data')
  const ended = await sayVerb({ dataDir }, ['catalogue', 'check', file, ...args])
  expect(existsSync(dataDir)).toBe(false)
  return ended
}

test('a valid catalogue: each page’s offer and the excluded programs are listed', async () => {
  const [header, ...rows] = shipped.trimEnd().split('\n')
  const edited = rows.map((row) =>
    row.startsWith('1,')
      ? `${row},no`
      : `${row.replace(/,yes,([^,]*Technology)/, ',,$1').replaceAll('Education', 'Business')},`,
  )
  const { code, stdout } = await catalogueCheck([`${header},offered`, ...edited].join('\n'))
  expect(code).toBe(0)
  expect(stdout).toContain('On offer: 69 programs.')
  expect(stdout).toMatch(/\n\/business +41 +\d+\n/)
  expect(stdout).toContain('Not on offer:\n  1  B.S. Accounting\n')
  expect(stdout).toMatch(/\n\/education +0 +0\n/)
  expect(stdout).toMatch(/\n\/technology +\d+ +0\n/)
})

test('a catalogue with faults: every fault is listed with its line, and the exit code is 78', async () => {
  const faulty = shipped.replace('Business,Bachelors', 'Cooking,Bachelors').replace('\n2,', '\n1,')
  const { code, stderr } = await catalogueCheck(faulty)
  expect(code).toBe(78)
  expect(stderr).toContain('  - line 2: type "Cooking" is none of')
  expect(stderr).toContain('  - line 3: id 1 is on line 2 already')
  const asJson = await catalogueCheck(faulty, '--json')
  expect(JSON.parse(asJson.stdout)).toMatchObject({ ok: false, faults: { length: 2 } })
})
