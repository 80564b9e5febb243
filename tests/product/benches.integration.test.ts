import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { patience } from '#tests/patience/patience.ts'
import { lighthouseCommand } from '../../bench/pages/lighthouse-run.ts'

const root = resolve(import.meta.dirname, '../..')

/**
 * The benchmarks of leads run only on SQLite: `two-workers` runs the same code on PostgreSQL. `lighthouse` and `peer`
 * are missing, because only `npm run bench` installs their packages.
 */
const benches = [
  ...['script-bytes', 'first-response', 'requests', 'slow-phone', 'next-paint', 'keystroke'],
  ...['proof-of-work', 'pages-per-second', 'accepting-sqlite'],
  ...['backlog-sqlite', 'many-leads-sqlite', 'finding-leads-sqlite', 'delivering-sqlite'],
  ...['notifying-sqlite', 'retention-sqlite', 'two-workers', 'slow-disk'],
]

test('every benchmark runs with tiny counts', { timeout: 10 * patience }, async () => {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [join(root, 'bench/run.ts'), '--runs', '1', '--only', benches.join(',')],
    // With Vitest's NODE_ENV, Vite would compile JSX for development.
    {
      cwd: root,
      env: { ...process.env, NODE_ENV: 'production', BENCH_SIZE: 'tiny' },
      maxBuffer: 64 * 1024 * 1024,
    },
  )
  expect(stdout).toContain('bounds are kept.')
})

test('the benchmark finds Lighthouse where its lock file installs it', () => {
  const lock = JSON.parse(readFileSync(join(root, 'bench/package-lock.json'), 'utf8'))
  const { bin } = lock.packages['node_modules/lighthouse']
  expect(relative(join(root, 'bench/node_modules/lighthouse'), lighthouseCommand)).toBe(
    bin.lighthouse,
  )
})
