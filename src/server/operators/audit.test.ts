import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { auditActions } from '#domain/operator/audit-action.ts'
import { makeIdAt, makeIdPrefix } from '#server/platform/database/time-ordered-id.ts'

test('every audit action is recorded somewhere', () => {
  const src = join(import.meta.dirname, '../..')
  const files = globSync('{server,console,site,cli}/**/*.{ts,tsx}', {
    cwd: src,
    exclude: ['**/*.test.ts'],
  })
  const sources = files.map((file) => readFileSync(join(src, file), 'utf8')).join('\n')
  const unused = auditActions.filter((action) => !sources.includes(`'${action}'`))
  // The audit log still contains these entries of earlier releases.
  expect(unused).toEqual(['retried deliveries', 'released leads'])
})

const at = Date.UTC(2026, 10, 22)

test('an audit id is a UUIDv7 of its time, in order of creation', () => {
  const ids = [at, at, at, at + 1, at + 1].map(makeIdAt)
  expect(ids).toEqual(ids.toSorted())
  for (const id of ids) {
    expect(id).toMatch(/^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/)
  }
  expect(ids.map((id) => id >= makeIdPrefix(at + 1))).toEqual([false, false, false, true, true])
})
