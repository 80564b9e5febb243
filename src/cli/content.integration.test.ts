import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
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
  expect(stdout).toMatch(/Warnings:\n {2}- \$8,010 .* looked up on 2021-02-21/)
})
