import { cp, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { findStrayPictures } from '#server/content/find-stray-files.ts'
import { sayVerb } from '#tests/cli/say-verb.ts'
import { contentFolder } from '#tests/content/sample-texts.ts'

const nowhere = { dataDir: join(tmpdir(), 'enquiry-that-nobody-makes') }

async function folderWith(edit: (site: string) => string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'content-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  await cp(contentFolder, folder, { recursive: true })
  const file = join(folder, 'site.yaml')
  await writeFile(file, edit(await readFile(file, 'utf8')))
  return folder
}

test('the shipped texts are valid, and counted', async () => {
  const { code, stdout } = await sayVerb(nowhere, ['content', 'check'])
  expect(code).toBe(0)
  expect(stdout).toContain('5 landing pages, 3 legal pages')
})

test('invalid texts: each fault is listed with file and line, and the exit code is 78', async () => {
  const folder = await folderWith((site) => site.replace('    source: stated by the school\n', ''))
  const { code, stderr } = await sayVerb(nowhere, ['content', 'check', folder])
  expect(code).toBe(78)
  expect(stderr).toMatch(/ {2}- content\/site\.yaml, line \d+: source is missing/)
})

test('a claim that nobody has checked for a year is listed', async () => {
  const folder = await folderWith((site) =>
    site.replace('checked: 2026-11-21', 'checked: 2021-02-21'),
  )
  const { code, stdout } = await sayVerb(nowhere, ['content', 'check', folder])
  expect(code).toBe(0)
  expect(stdout).toMatch(/Warnings:\n(?: {2}- .*\n)* {2}- \$8,010 .* looked up on 2021-02-21/)
})

test('files that belong to no page are listed with the files that pages read, and hidden files are not', async () => {
  const folder = await folderWith((site) => `${site}logo:\n  file: crest.svg\n`)
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10"/>'
  for (const name of ['crest.svg', 'crest-old.svg', '.site.yaml.swp', 'README.md'])
    await writeFile(join(folder, name), svg)
  const strays = ['Technologie.yaml', 'education.yaml~', 'privacy.md', 'site.yml']
  for (const name of strays) await writeFile(join(folder, name), '')
  const { code, stdout } = await sayVerb(nowhere, ['content', 'check', folder])
  expect(code).toBe(0)
  for (const name of strays) {
    expect(stdout).toContain(
      `content/${name} belongs to no page. Pages read only site.yaml, general.yaml, business.yaml, `,
    )
  }
  expect(stdout).toContain('content/crest-old.svg')
  expect(stdout.match(/belongs to no page/g)).toHaveLength(5)

  await rename(join(folder, 'healthcare.yaml'), join(folder, 'healthcare.yml'))
  const missing = await sayVerb(nowhere, ['content', 'check', folder])
  expect(missing.code).toBe(78)
  expect(missing.stderr).toContain('content/healthcare.yaml: the file is missing')
  expect(missing.stderr).toContain('content/healthcare.yml belongs to no page. Pages read only')
})

test('a stray picture is listed, too', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'pictures-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  for (const name of ['Business.JPEG', 'general.webp', 'campus.png', 'busines.jpg'])
    await writeFile(join(folder, name), '')
  expect(findStrayPictures(folder)).toEqual([
    'site-pictures/busines.jpg belongs to no page. Pages read only general.jpg, business.jpg, education.jpg, healthcare.jpg, technology.jpg',
    expect.stringContaining('site-pictures/campus.png belongs to no page'),
  ])
})
