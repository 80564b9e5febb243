import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * What a step of the set-up has found, for those who come after it.
 * @param {string} file
 */
export function keptJson(file) {
  return {
    /** @returns {any} undefined where nothing is kept, or nothing that can be read */
    read() {
      try {
        return JSON.parse(readFileSync(file, 'utf8'))
      } catch {
        return undefined
      }
    },

    /** @param {object} found */
    write(found) {
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, `${JSON.stringify(found, null, 2)}\n`)
    },
  }
}
