import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import packageManifest from '../../package.json' with { type: 'json' }

const root = resolve(import.meta.dirname, '../..')
const changelog = readFileSync(resolve(root, 'CHANGELOG.md'), 'utf8')
const entries = changelog.split(/^## /m).slice(1)
const versions = entries.map((entry) => entry.split('\n')[0])

test('the newest entry is the release that package.json names', () => {
  expect(versions[0]).toBe(packageManifest.version)
  expect(versions).toEqual([...new Set(versions)])
})

test('every release but the first says what an upgrade to it asks for', () => {
  for (const entry of entries.slice(0, -1)) expect(entry).toMatch(/^\*Upgrade\*\n\n- /m)
})
