import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * What a step was last done for. Removed before the step and written after it, so an interrupted step is
 * done again.
 * @param {string} file
 */
export function stampAt(file) {
  return {
    /** @param {string} mark */
    reads(mark) {
      try {
        return readFileSync(file, 'utf8') === mark
      } catch {
        return false
      }
    },
    remove() {
      rmSync(file, { force: true })
    },
    /** @param {string} mark */
    write(mark) {
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, mark)
    },
  }
}
