import { readFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { lighthouseCommand } from '../../bench/pages/lighthouse-run.ts'

const bench = resolve(import.meta.dirname, '../../bench')

test('the bench finds Lighthouse where its lock file installs it', () => {
  const lock = JSON.parse(readFileSync(join(bench, 'package-lock.json'), 'utf8'))
  const { bin } = lock.packages['node_modules/lighthouse']
  expect(relative(join(bench, 'node_modules/lighthouse'), lighthouseCommand)).toBe(bin.lighthouse)
})
