import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import packageManifest from '../../package.json' with { type: 'json' }

const root = resolve(import.meta.dirname, '../..')
const changelog = readFileSync(resolve(root, 'CHANGELOG.md'), 'utf8')
const entries = changelog.split(/^## /m).slice(1)
const headingOf = (entry: string) => entry.slice(0, entry.indexOf('\n'))
const releases = entries.filter((entry) => headingOf(entry) !== 'Unreleased')

test('the newest release is the version in package.json, with only Unreleased above it', () => {
  expect(headingOf(releases[0] ?? '')).toBe(packageManifest.version)
  const headings = entries.map(headingOf)
  expect(headings).toEqual([...new Set(headings)])
  expect(headings.lastIndexOf('Unreleased')).toBeLessThanOrEqual(0)
})

test('every release but the first says what to do before an upgrade', () => {
  for (const entry of releases.slice(0, -1))
    expect(entry).toMatch(/^(\*Upgrade\*\n\n-|### Before you upgrade\n\n1\.) /m)
})
