import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { permissionByAction } from '#domain/job/job.ts'
import { permissions } from '#domain/operator/permissions.ts'

test('every permission is checked somewhere', () => {
  const folder = join(import.meta.dirname, '../..')
  const files = globSync('**/*.{ts,tsx}', { cwd: folder, exclude: ['**/*.test.ts'] })
  const sources = files.map((file) => readFileSync(join(folder, file), 'utf8')).join('\n')
  const ofJobs = Object.values(permissionByAction)
  const asked = permissions.filter((action) => sources.includes(`'${action}'`))
  expect([...new Set([...asked, ...ofJobs])].sort()).toEqual([...permissions].sort())
})
