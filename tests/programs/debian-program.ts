import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'

const kept = resolve(import.meta.dirname, '../../node_modules/.cache/debian-programs.json')

/** Where a program stands, as scripts/setup/debian-programs.mjs has found it. */
export const debianProgram = (name: 'promtool' | 'caddy' | 'nginx'): string =>
  process.env[`${name.toUpperCase()}_PATH`] || JSON.parse(readFileSync(kept, 'utf8'))[name]
