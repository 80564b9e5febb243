import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

/** Below the ports that systems choose themselves (32,768 and up on Linux, 49,152 on macOS). */
const lowest = 20_000
const highest = 32_000

/**
 * A loopback port that nothing listens on, and that the system gives to nobody: otherwise another test's distributor
 * could get a lead for a distributor that is unavailable.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(lowest, highest)
    if (await isFree(port)) return port
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1')
  try {
    await once(server, 'listening')
  } catch {
    return false
  }
  server.close()
  await once(server, 'close')
  return true
}
