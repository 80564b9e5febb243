import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { requiredRight } from '#domain/job/job.ts'
import { actions } from '#domain/operator/rights.ts'

test('every permission is checked somewhere', () => {
  const folder = join(import.meta.dirname, '..')
  const files = globSync('**/*.{ts,tsx}', { cwd: folder, exclude: ['**/*.test.ts'] })
  const sources = files.map((file) => readFileSync(join(folder, file), 'utf8')).join('\n')
  const ofJobs = Object.values(requiredRight)
  const asked = actions.filter((action) => sources.includes(`'${action}'`))
  expect([...new Set([...asked, ...ofJobs])].sort()).toEqual([...actions].sort())
})
