import { readFileSync } from 'node:fs'
import { findDeclaration, type SettingName, settingNames } from './declared-settings.ts'

export const secretNames = settingNames.filter((name) => findDeclaration(name).mayBeSecret)

/** The variables that name the file of a secret value, because container platforms provide secrets as files. */
export const secretFileNames: readonly string[] = secretNames.map((name) => `${name}_FILE`)

export type EnvironmentVariables = Readonly<Record<string, string | undefined>>

interface Given {
  /** The value; undefined if neither the variable nor its file is set. */
  readonly text?: string | undefined
  /** Added to a fault, so that the operator corrects the file. */
  readonly source: string
  readonly fault?: undefined
}

/** Reads a variable, or the file that `NAME_FILE` names. A fault doesn't quote the path, which may be the secret itself. */
export function readVariable(
  name: SettingName,
  variables: EnvironmentVariables,
): Given | { readonly fault: string } {
  const path = variables[`${name}_FILE`]?.trim()
  if (!path || !secretNames.includes(name)) return { text: variables[name], source: '' }
  const source = ` (read from ${name}_FILE)`
  if (variables[name]?.trim()) return { fault: `is set, and ${name}_FILE too: keep one of them` }
  try {
    const text = readFileSync(path, 'utf8').replace(/\r?\n$/, '')
    return text.trim() === '' || /[\r\n]/.test(text)
      ? { fault: `must be the only line of its file${source}` }
      : { text, source }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    return { fault: `cannot be read from the file that ${name}_FILE names (${code})` }
  }
}
