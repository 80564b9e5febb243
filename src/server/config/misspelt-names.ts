import { areOneEditApart } from '#domain/one-edit-apart.ts'
import { settingNames } from './environment.ts'
import type { SettingFault } from './production-faults.ts'
import { secretFileNames } from './secret-files.ts'

/** Shorter names are too near to other programs' (HOST, POST, PORT). */
const shortestChecked = 8

const knownNames: readonly string[] = [...settingNames, ...secretFileNames]

/** Names in the environment that are none of ours by a letter or two: a setting that would silently be ignored. */
export function misspeltNames(names: readonly string[]): SettingFault[] {
  const known = new Set(knownNames)
  return names
    .filter((name) => name.length >= shortestChecked && !known.has(name))
    .flatMap((name) => {
      const meant = knownNames.find(
        (candidate) => candidate.length >= shortestChecked && areOneEditApart(name, candidate),
      )
      return meant ? [{ name, message: `is not a setting; did you mean ${meant}?` }] : []
    })
}
