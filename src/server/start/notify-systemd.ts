import { execFile } from 'node:child_process'
import type { Logger } from 'pino'

/** systemd itself gives up on a start after 90 s. */
const patienceMs = 10_000

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
    execFile('systemd-notify', args, { timeout: patienceMs, env }, (error) => {
      // It will end us: why then stands in the journal.
      if (error) log.error({ err: error }, 'systemd was not told that the product is ready')
      resolve()
    })
  })
}
