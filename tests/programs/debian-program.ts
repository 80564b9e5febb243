import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'

const kept = resolve(import.meta.dirname, '../../node_modules/.cache/tools.json')

/** The path of a program that scripts/setup/tools.mjs found or fetched; `npm test -- --only types` does that. */
export const debianProgram = (name: 'promtool' | 'caddy' | 'nginx'): string =>
  process.env[`${name.toUpperCase()}_PATH`] || JSON.parse(readFileSync(kept, 'utf8'))[name]
