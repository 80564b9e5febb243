import { environmentNames } from './environment.ts'
import type { SettingFault } from './production-faults.ts'

/** Shorter names are too near to other programs' (HOST, POST, PORT). */
const shortestChecked = 8

/** Names in the environment that are none of ours by a letter or two: a setting that would silently be ignored. */
export function misspeltNames(names: readonly string[]): SettingFault[] {
  const known = new Set<string>(environmentNames)
  return names
    .filter((name) => name.length >= shortestChecked && !known.has(name))
    .flatMap((name) => {
      const meant = environmentNames.find(
        (candidate) => candidate.length >= shortestChecked && isNear(name, candidate),
      )
      return meant ? [{ name, message: `is not a setting; did you mean ${meant}?` }] : []
    })
}

/** One letter more, fewer or other, or two neighbours swapped. */
function isNear(name: string, candidate: string): boolean {
  if (Math.abs(name.length - candidate.length) > 1) return false
  let start = 0
  while (start < name.length && name[start] === candidate[start]) start++
  const rest = name.slice(start)
  const wanted = candidate.slice(start)
  const swapped = `${rest[1] ?? ''}${rest[0] ?? ''}${rest.slice(2)}`
  return (
    rest.slice(1) === wanted ||
    rest === wanted.slice(1) ||
    rest.slice(1) === wanted.slice(1) ||
    swapped === wanted
  )
}
