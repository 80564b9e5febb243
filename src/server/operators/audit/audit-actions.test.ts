import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { auditActions } from './audit.ts'

test('whatever the audit can be filtered by is written down by somebody', () => {
  const src = join(import.meta.dirname, '../../..')
  const files = globSync('{server,cli}/**/*.{ts,tsx}', { cwd: src, exclude: ['**/*.test.ts'] })
  const sources = files
    .filter((file) => !file.endsWith('audit/audit.ts'))
    .map((file) => readFileSync(join(src, file), 'utf8'))
    .join('\n')
  expect(auditActions.filter((action) => !sources.includes(`'${action}'`))).toEqual([])
})
