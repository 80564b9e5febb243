import { execFile } from 'node:child_process'
import { resolve } from 'node:path'
import type { Logger } from 'pino'
import type { Settings } from '#server/config/settings.ts'

interface Addresses {
  readonly port: number
  /** With a link that signs in, in the demo. */
  readonly consoleUrl: string | undefined
  readonly sandboxUrl: string | undefined
  /** Started by systemd: the operator's verbs are a command there, and npm has no business in a release's folder. */
  readonly isUnit: boolean
}

/**
 * The lines that a person who starts the product needs. It goes to stderr: stdout carries JSON
 * lines only.
 */
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
  const stop = sandboxUrl ? ' Stop with Ctrl+C.' : ''
  return `\n${text}\n  ${destination(settings)}${stop}\n\n`
}

/** Where leads are delivered. Of the address only its origin: the rest may hold a secret. */
function destination({ mode, thirdParties }: Settings): string {
  const { distributorUrl } = thirdParties
  if (distributorUrl === undefined) {
    return 'Demo mode: leads are delivered to the sandbox on this machine. No school receives them.'
  }
  const leads = `eads are delivered to ${new URL(distributorUrl).origin} (DISTRIBUTOR_URL).`
  return mode === 'demo' ? `Demo mode, but l${leads}` : `L${leads}`
}

const site = (role: Settings['role'], address: string): string[] =>
  role === 'worker' ? ['Health', `${address}/readyz`] : ['Site', address]

export const addressOf = (host: string, port: number): string =>
  `http://${host.includes(':') ? `[${host}]` : host}:${port}`

/** systemd itself gives up on a start after 90 s. */
const timeoutMs = 10_000

/**
 * Tells systemd that the product serves (`Type=notify`), by systemd's own program. Resolves when it
 * knows; at once where no systemd waits for it.
 * @param socket NOTIFY_SOCKET, which systemd gives to those that it waits for
 */
export async function notifySystemd(
  socket: string | undefined,
  status: string,
  log: Pick<Logger, 'error'>,
): Promise<void> {
  if (!socket) return
  const args = ['--ready', `--status=${status}`]
  // No more of ours: there are secrets in it.
  const env = { PATH: process.env.PATH, NOTIFY_SOCKET: socket }
  return new Promise((resolve) => {
    execFile('systemd-notify', args, { timeout: timeoutMs, env }, (error) => {
      // It will end this process: the journal then says why.
      if (error) log.error({ err: error }, 'systemd was not told that the product is ready')
      resolve()
    })
  })
}
