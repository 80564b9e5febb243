import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startKeeper } from '../keeper/start-keeper.ts'
import { freePort } from '../product/free-port.ts'
import { toolPath } from '../programs/tool-path.ts'
import { chownTo, programsFor, unprivilegedUser } from './unprivileged-user.ts'

export interface ThrowawayPostgres {
  /** The `postgres://…` address of a superuser, on loopback. */
  readonly url: string
  /** Crashes the server, and keeps its folder. Resolves when the server has ended. */
  crash(): Promise<void>
  /** Kills the server as in a power cut, without a signal that it handles and without touching its folder. */
  kill(): Promise<void>
  /** Starts the server again at the same address. Resolves once it answers. */
  restart(): Promise<void>
  /** Stops the server and removes its folder. */
  stop(): Promise<void>
}

/**
 * The script reads the postmaster's id while the disk works, because a disk without power cannot be read. In a
 * container, a killed postmaster may stay a zombie if no process waits for it.
 */
const script = `
create() {
  "$BIN/initdb" -D "$DATA" -U postgres --pwfile="$FOLDER/password" \\
    -A md5 -E UTF8 --locale=C $INITDB_SYNC
}
start() {
  if [ -n "$is_killed" ]; then rm -f "$DATA/postmaster.pid"; fi
  is_killed=
  "$BIN/pg_ctl" start -w -t 170 -D "$DATA" -l "$FOLDER/log" \\
    -o "-c listen_addresses=127.0.0.1 -c port=$PORT -c unix_socket_directories=" &&
    read -r postmaster <"$DATA/postmaster.pid"
}
crash() {
  "$BIN/pg_ctl" stop -w -t 60 -m immediate -D "$DATA"
}
kill_it() {
  is_killed=yes
  # Those of its processes that wait for each other would not notice its end.
  kill -STOP "$postmaster" && kill -9 "$postmaster" $(cat "/proc/$postmaster/task/$postmaster/children")
}
clean_up() {
  crash || kill_it
  rm -rf "$FOLDER"
}
`

/**
 * Starts a PostgreSQL in a temporary folder, with fsync on and on a free port of loopback. Other servers are not
 * affected. The caller must stop it: until then it keeps this process alive.
 * @param disk a folder on another disk for its data, open to all users; the temporary folder if undefined
 */
export async function startPostgres(disk?: string): Promise<ThrowawayPostgres> {
  const found = toolPath('postgres')
  const folder = mkdtempSync(join(tmpdir(), 'throwaway-postgres-'))
  try {
    const user = unprivilegedUser()
    const password = randomBytes(16).toString('hex')
    writeFileSync(join(folder, 'password'), password, { mode: 0o600 })
    const bin = programsFor(user, found, folder)
    chownTo(user, join(folder, 'password'), folder)
    const port = await freePort()
    const { order, stop } = startKeeper({
      what: `PostgreSQL from ${bin}`,
      script,
      folder,
      user,
      variables: {
        BIN: bin,
        DATA: join(disk ?? folder, 'data'),
        PORT: String(port),
        // Syncing is only needed on a disk whose power a test cuts.
        INITDB_SYNC: disk === undefined ? '--no-sync' : '',
      },
    })
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
      kill: () => order('kill_it'),
      restart: () => order('start'),
      stop,
    }
  } catch (error) {
    rmSync(folder, { recursive: true, force: true })
    throw error
  }
}
