import { readFileSync, statSync } from 'node:fs'
import { declarationOf, type SettingName, settingNames } from './declared-settings.ts'

/** No key or address is nearly this long, and reading a device file would never end. */
const maxBytes = 16 * 1024

const suffix = '_FILE'

export const secretNames = settingNames.filter((name) => declarationOf(name).mayBeSecret)

/** The variables that name the file of a secret value, because container platforms provide secrets as files. */
export const secretFileNames: readonly string[] = secretNames.map((name) => name + suffix)

type Variables = Readonly<Record<string, string | undefined>>

export interface WithSecrets {
  /** The variables, including the values that were read from files. */
  readonly variables: Variables
  /** Faults by the setting's name, each a whole sentence. A sentence may name a file, never its content. */
  readonly faults: ReadonlyMap<string, string>
}

/** Reads the `NAME_FILE` of each setting that may be secret. */
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
  // A value that is not a path may be the secret itself, so the message does not repeat it.
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
