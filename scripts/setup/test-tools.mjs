import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { bringChromium } from './chromium.mjs'
import { bringPostgres } from './postgres.mjs'

/**
 * What the tests need besides the dependencies. Where they stand is kept in node_modules/.cache/test-tools.json.
 * @param {string} root
 * @param {import('./machine.mjs').Machine} machine
 */
export function testTools(root, machine) {
  const file = join(root, 'node_modules', '.cache', 'test-tools.json')
  return {
    isStale() {
      const { chromium, postgresBinDir } = kept(file)
      return (
        chromium === undefined ||
        postgresBinDir === undefined ||
        (machine.env.CHROMIUM_PATH || chromium) !== chromium ||
        (machine.env.POSTGRES_BIN_DIR || postgresBinDir) !== postgresBinDir ||
        !machine.isExecutable(chromium) ||
        !machine.isExecutable(join(postgresBinDir, 'postgres'))
      )
    },

    /** @param {(pid: number) => void} onStart */
    async bring(onStart) {
      // One after the other: both may want apt's lock.
      const chromium = await bringChromium(root, machine, onStart)
      const postgresBinDir = await bringPostgres(root, machine, onStart)
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, `${JSON.stringify({ chromium, postgresBinDir }, null, 2)}\n`)
    },
  }
}

/**
 * @param {string} file
 * @returns {{ chromium?: string, postgresBinDir?: string }}
 */
function kept(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return {}
  }
}
