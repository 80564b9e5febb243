import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'

const variables = {
  chromium: 'CHROMIUM_PATH',
  postgres: 'POSTGRES_BIN_DIR',
  promtool: 'PROMTOOL_PATH',
  caddy: 'CADDY_PATH',
  nginx: 'NGINX_PATH',
} as const

const kept = resolve(import.meta.dirname, '../../node_modules/.cache/tools.json')

/**
 * The path of a program, or of PostgreSQL's folder: from the environment, else from the list that
 * scripts/setup/tools.mjs writes.
 */
export function toolPath(name: keyof typeof variables): string {
  const path = process.env[variables[name]] || (existsSync(kept) && read()[name])
  if (!path)
    throw new Error(`Where is ${name}? “npm test -- --only types” looks for it, or fetches it.`)
  return path
}

const read = (): Record<string, string | undefined> => JSON.parse(readFileSync(kept, 'utf8'))
