import { execFile } from 'node:child_process'
import { resolve } from 'node:path'
import type { Logger } from 'pino'
import type { Settings } from '#server/config/settings.ts'

interface Addresses {
  readonly port: number
  /** In demo mode, the URL is a link that signs in the demo's admin. */
  readonly consoleUrl: string | undefined
  readonly sandboxUrl: string | undefined
  /**
   * Whether systemd started the process. Under systemd, operators run the `leads` command, because npm cannot run in a
   * release's folder.
   */
  readonly isUnderSystemd: boolean
}

/** Formats the banner for the person who starts the product: on stderr, because stdout carries only JSON lines. */
export function formatBanner(
  settings: Settings,
  { port, consoleUrl, sandboxUrl, isUnderSystemd }: Addresses,
): string {
  const address = formatUrl(settings.host, port)
  const { dataDir, databaseUrl } = settings.store
  const data = databaseUrl ? 'PostgreSQL (DATABASE_URL)' : resolve(dataDir, 'leads.sqlite')
  // The default folder needs no name, and a shell that started a server on PostgreSQL has the database's URL.
  const folder = databaseUrl || dataDir === './data' ? '' : `DATA_DIR=${resolve(dataDir)} `
  const lines = [
    ...(settings.role === 'console' ? [] : [describeSite(settings.role, address)]),
    ...(consoleUrl ? [['Console', consoleUrl]] : []),
    ...(sandboxUrl ? [['Sandbox', `${sandboxUrl}  (received leads: ${sandboxUrl}/ledger)`]] : []),
    ['Data', data],
    ['Leads', `${isUnderSystemd ? 'sudo leads' : `${folder}npm run leads --`} list`],
  ]
  const text = lines.map(([name, value]) => `  ${name?.padEnd(9)}${value}\n`).join('')
  const stop = sandboxUrl ? ' Stop with Ctrl+C.' : ''
  return `\n${text}\n  ${describeDestination(settings)}${stop}\n\n`
}

/** Names only the origin of the URL that leads are delivered to, because the rest may contain a secret. */
function describeDestination({ mode, thirdParties }: Settings): string {
  const { distributorUrl } = thirdParties
  if (distributorUrl === undefined) {
    return 'Demo mode: leads are delivered to the sandbox on this machine. No school receives them.'
  }
  const leads = `eads are delivered to ${new URL(distributorUrl).origin} (DISTRIBUTOR_URL).`
  return mode === 'demo' ? `Demo mode, but l${leads}` : `L${leads}`
}

const describeSite = (role: Settings['role'], address: string): string[] =>
  role === 'worker' ? ['Health', `${address}/readyz`] : ['Site', address]

export const formatUrl = (host: string, port: number): string =>
  `http://${host.includes(':') ? `[${host}]` : host}:${port}`

/** The time limit of `systemd-notify`, in milliseconds; systemd itself waits 90 s for a start. */
const timeoutMs = 10_000

/**
 * Runs `systemd-notify` to tell systemd that the product is ready (`Type=notify`). Resolves when systemd knows, or at
 * once if systemd does not wait.
 * @param socket NOTIFY_SOCKET, which systemd sets if it waits for the start
 */
export async function notifySystemd(
  socket: string | undefined,
  status: string,
  log: Pick<Logger, 'error'>,
): Promise<void> {
  if (!socket) return
  const args = ['--ready', `--status=${status}`]
  // `systemd-notify` gets no other variables, because they may contain secrets.
  const env = { PATH: process.env.PATH, NOTIFY_SOCKET: socket }
  return new Promise((resolve) => {
    execFile('systemd-notify', args, { timeout: timeoutMs, env }, (error) => {
      // After its own time limit, systemd ends the process; this line in the journal says why.
      if (error)
        log.error({ err: error }, 'systemd could not be notified that the product is ready')
      resolve()
    })
  })
}
