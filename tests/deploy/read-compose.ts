import { readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'
import { parse } from 'yaml'

export interface Service {
  readonly image: string
  readonly build?: string
  readonly profiles?: readonly string[]
  readonly environment?: Readonly<Record<string, string>>
  readonly env_file?: readonly string[]
  readonly read_only?: boolean
  readonly cap_drop?: readonly string[]
  readonly security_opt?: readonly string[]
  readonly stop_grace_period?: string
  readonly restart?: string
  readonly command?: readonly string[]
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>
  readonly network_mode?: string
  readonly networks?: readonly string[]
  readonly volumes?: readonly string[]
  readonly secrets?: readonly string[]
  readonly ports?: readonly string[]
  readonly deploy?: { readonly replicas: number }
}

export interface Compose {
  readonly services: Readonly<Record<string, Service>>
  readonly networks: Readonly<
    Record<string, { internal?: boolean; ipam?: { config: [{ subnet: string }] } }>
  >
  readonly volumes: Readonly<Record<string, unknown>>
  readonly secrets: Readonly<Record<string, { file: string }>>
}

/** @param variables the values for `${NAME:-default}` in the file */
export function readCompose(
  file: string,
  variables: Readonly<Record<string, string | undefined>> = {},
): Compose {
  const text = readFileSync(file, 'utf8').replace(
    /\$\{(\w+):-([^}]*)\}/g,
    (_, name: string, otherwise: string) => variables[name] ?? otherwise,
  )
  return parse(text, { merge: true, uniqueKeys: true })
}

export const readEnv = (file: string): Readonly<Record<string, string | undefined>> =>
  parseEnv(readFileSync(file, 'utf8'))
