import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startKeeper } from '../keeper/start-keeper.ts'
import { freePort } from '../product/free-port.ts'
import { toolPath } from '../programs/tool-path.ts'
import { chownTo, programsFor, unprivilegedUser } from './unprivileged-user.ts'

export interface ThrowawayPostgres {
  /** `postgres://…` of a superuser, on loopback. */
  readonly url: string
  /** Lets the server fall as a crash does, its folder stays. Resolves when it is gone. */
  crash(): Promise<void>
  /** Kills it as a power cut does, without a word to anybody and without touching its folder. */
  kill(): Promise<void>
  /** Starts it again, at the same address. Resolves once it answers. */
  restart(): Promise<void>
  /** Ends the server and removes its folder. */
  stop(): Promise<void>
}

/**
 * The postmaster's id is read while its folder can be: a disk that has lost its power gives nothing back. Killed, it may
 * stay a zombie where nobody waits for it, as in a container; after a power cut there would be none.
 */
const script = `
create() {
  "$BIN/initdb" -D "$DATA" -U postgres --pwfile="$FOLDER/password" \\
    -A scram-sha-256 -E UTF8 --locale=C $INITDB_SYNC
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
 * Starts a PostgreSQL of its own in a temporary folder, with fsync on, on a free port of loopback. It touches none that
 * already runs. Whoever starts it stops it: until then it keeps this process alive.
 * @param disk a folder for its data on a disk of their own, open to all; without one they lie in its temporary folder
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
        // Nobody cuts the power of a folder in /tmp.
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
