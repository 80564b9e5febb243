import { resolve } from 'node:path'
import type { Settings } from '#server/config/settings.ts'

interface Addresses {
  readonly port: number
  /** With a link that signs in, in the demo. */
  readonly consoleUrl: string | undefined
  readonly sandboxUrl: string | undefined
  /** Started by systemd: the operator's verbs are a command there, and npm has no business in a release's folder. */
  readonly isUnit: boolean
}

/** What a person who started the product needs to know. It goes to stderr: stdout carries JSON lines only. */
export function banner(
  settings: Settings,
  { port, consoleUrl, sandboxUrl, isUnit }: Addresses,
): string {
  const address = addressOf(settings.host, port)
  const { dataDir, databaseUrl } = settings.store
  const data = databaseUrl ? 'PostgreSQL (DATABASE_URL)' : resolve(dataDir, 'leads.sqlite')
  const lines = [
    ...(settings.role === 'console' ? [] : [site(settings.role, address)]),
    ...(consoleUrl ? [['Console', consoleUrl]] : []),
    ...(sandboxUrl ? [['Sandbox', `${sandboxUrl}  (what it received: ${sandboxUrl}/ledger)`]] : []),
    ['Data', data],
    ['Leads', isUnit ? 'sudo leads list' : 'npm run leads -- list'],
  ]
  const text = lines.map(([name, value]) => `  ${name?.padEnd(9)}${value}\n`).join('')
  const demo = sandboxUrl
    ? '\n  Demo mode: leads go to the sandbox, not to a school. Stop with Ctrl+C.\n'
    : ''
  return `\n${text}${demo}\n`
}

const site = (role: Settings['role'], address: string): string[] =>
  role === 'worker' ? ['Health', `${address}/readyz`] : ['Site', address]

export const addressOf = (host: string, port: number): string =>
  `http://${host.includes(':') ? `[${host}]` : host}:${port}`
