import { join } from 'node:path'
import { bringChromium } from './chromium.mjs'
import { keptJson } from './kept-json.mjs'
import { bringPostgres } from './postgres.mjs'

/**
 * What the tests need besides the dependencies. Where they stand is kept in node_modules/.cache/test-tools.json.
 * @param {string} root
 * @param {import('./machine.mjs').Machine} machine
 */
export function testTools(root, machine) {
  const kept = keptJson(join(root, 'node_modules', '.cache', 'test-tools.json'))
  return {
    isStale() {
      /** @type {{ chromium?: string, postgresBinDir?: string }} */
      const { chromium, postgresBinDir } = kept.read() ?? {}
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
      kept.write({ chromium, postgresBinDir })
    },
  }
}
