import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../product/free-port.ts'
import { findPostgres } from './find-postgres.ts'
import { chownTo, programsFor, unprivilegedUser } from './unprivileged-user.ts'

export interface ThrowawayPostgres {
  /** `postgres://…` of a superuser, on loopback. */
  readonly url: string
  /** Lets the server fall as a crash does, its folder stays. Resolves when it is gone. */
  crash(): Promise<void>
  /** Starts it again, at the same address. Resolves once it answers. */
  restart(): Promise<void>
  /** Ends the server and removes its folder. */
  stop(): Promise<void>
}

/**
 * Keeps the cluster until its standard input ends, then removes all of it. The input ends when stop() is called, and
 * also when our process dies, however it dies: even kill -9 leaves nothing behind.
 */
const keeper = `
trap '' PIPE HUP INT TERM
create() {
  "$BIN/initdb" -D "$FOLDER/data" -U postgres --pwfile="$FOLDER/password" \\
    -A scram-sha-256 -E UTF8 --locale=C --no-sync
}
start() {
  "$BIN/pg_ctl" start -w -t 60 -D "$FOLDER/data" -l "$FOLDER/log" \\
    -o "-c listen_addresses=127.0.0.1 -c port=$PORT -c unix_socket_directories="
}
crash() {
  "$BIN/pg_ctl" stop -w -m immediate -D "$FOLDER/data"
}
say() {
  if "$@" >>"$FOLDER/log" 2>&1 </dev/null; then echo done; else echo failed; fi
}
while read -r order; do say "$order"; done
crash >/dev/null 2>&1
cd / && rm -rf "$FOLDER"
`

/**
 * Starts a PostgreSQL of its own in a temporary folder, with fsync on, on a free port of loopback. It touches none that
 * already runs. Whoever starts it stops it: until then it keeps this process alive.
 */
export async function startPostgres(): Promise<ThrowawayPostgres> {
  const found = findPostgres()
  if (found === undefined) {
    throw new Error('No PostgreSQL found. Install one, or name its bin folder in POSTGRES_BIN_DIR.')
  }
  const folder = mkdtempSync(join(tmpdir(), 'throwaway-postgres-'))
  try {
    const user = unprivilegedUser()
    const password = randomBytes(16).toString('hex')
    writeFileSync(join(folder, 'password'), password, { mode: 0o600 })
    const bin = programsFor(user, found, folder)
    chownTo(user, join(folder, 'password'), folder)
    const port = await freePort()
    const { order, stop } = keep({ bin, folder, port, user })
    try {
      await order('create')
      await order('start')
    } catch (error) {
      await stop()
      throw error
    }
    return {
      url: `postgres://postgres:${password}@127.0.0.1:${port}/postgres`,
      crash: () => order('crash'),
      restart: () => order('start'),
      stop,
    }
  } catch (error) {
    rmSync(folder, { recursive: true, force: true })
    throw error
  }
}

interface Cluster {
  readonly bin: string
  readonly folder: string
  readonly port: number
  readonly user: ReturnType<typeof unprivilegedUser>
}

/** Starts the keeper, which obeys one order after the other. */
function keep({ bin, folder, port, user }: Cluster) {
  const child = spawn('/bin/sh', ['-c', keeper], {
    ...user,
    cwd: folder,
    // A session of its own: Ctrl-C in the terminal must not reach the keeper or the server.
    detached: true,
    stdio: ['pipe', 'pipe', 'ignore'],
    env: { BIN: bin, FOLDER: folder, PORT: String(port), PATH: '/usr/bin:/bin', LC_ALL: 'C' },
  })
  const ended = once(child, 'exit')
  return {
    order: async (order: 'create' | 'start' | 'crash') => {
      child.stdin.write(`${order}\n`)
      const [answer] = await Promise.race([once(child.stdout, 'data'), ended])
      if (String(answer).trim() === 'done') return
      const log = readFileSync(join(folder, 'log'), 'utf8')
      throw new Error(`PostgreSQL from ${bin} did not ${order}:\n${log}`)
    },
    stop: async () => {
      child.stdin.end()
      await ended
    },
  }
}
