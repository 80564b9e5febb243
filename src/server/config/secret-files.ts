import { readFileSync, statSync } from 'node:fs'
import { declarationOf, type SettingName, settingNames } from './declared-settings.ts'

/** No key or address comes near this; a path to a device would never end. */
const maxBytes = 16 * 1024

const suffix = '_FILE'

export const secretNames = settingNames.filter((name) => declarationOf(name).mayBeSecret)

/** The names that say where a setting's value lies, as container platforms hand out secrets. */
export const secretFileNames: readonly string[] = secretNames.map((name) => name + suffix)

type Variables = Readonly<Record<string, string | undefined>>

export interface WithSecrets {
  /** The variables, with the values that were read from files under the settings' own names. */
  readonly variables: Variables
  /** By the setting's name; each a whole sentence. They may name a file, never what is in it. */
  readonly faults: ReadonlyMap<string, string>
}

/** Reads every `NAME_FILE` of a setting that can hold a secret. */
export function readSecretFiles(variables: Variables): WithSecrets {
  const read: Record<string, string> = {}
  const faults = new Map<string, string>()
  for (const name of settingNames) {
    const path = variables[name + suffix]?.trim() ?? ''
    if (path === '') continue
    const result = readFor(name, path, variables[name])
    if ('value' in result) read[name] = result.value
    else faults.set(name, `${name}${suffix} ${result.fault}`)
  }
  return { variables: { ...variables, ...read }, faults }
}

type Secret = { readonly value: string } | { readonly fault: string }

function readFor(name: SettingName, path: string, given: string | undefined): Secret {
  const { mayBeSecret, mayBeEmpty } = declarationOf(name)
  if (!mayBeSecret) return { fault: `is not a setting: set ${name} itself` }
  if (given !== undefined && (given.trim() !== '' || mayBeEmpty)) {
    return { fault: `and ${name} are both set: keep one of them` }
  }
  // A value that is no path may be the secret itself under the wrong name, so it is not repeated.
  if (!path.includes('/') || path.includes('://')) {
    return { fault: 'must be the path of a file, such as /run/secrets/name, not the value itself' }
  }
  return readSecret(path)
}

function readSecret(path: string): Secret {
  try {
    const file = statSync(path)
    if (!file.isFile() || file.size > maxBytes) {
      return { fault: `names ${path}, which is too large or no file` }
    }
    const value = readFileSync(path, 'utf8').replace(/\r?\n$/, '')
    if (value.trim() === '')
      return { fault: `names ${path}, which is empty: write the value into it` }
    return /[\r\n]/.test(value)
      ? { fault: `names ${path}, which has more than one line: leave the value alone in it` }
      : { value }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    return {
      fault: `names ${path}, which cannot be read (${code}): correct the path or its rights`,
    }
  }
}
