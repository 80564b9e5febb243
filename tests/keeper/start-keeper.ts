import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export interface Keeper {
  /** Resolves once the order is done; rejects with the keeper's log if it fails. */
  order(order: string): Promise<void>
  /** Stops the keeper, and resolves when it has cleaned up. */
  stop(): Promise<void>
}

export interface KeeperSettings {
  /** The keeper's subject for error messages such as `it did not start`. */
  readonly what: string
  /** Shell functions: one for each order, and `clean_up`. */
  readonly script: string
  /** The keeper's own folder with its log. The script knows it as FOLDER, and must remove it in `clean_up`. */
  readonly folder: string
  /** Further environment variables. */
  readonly variables: Readonly<Record<string, string>>
  /** The keeper's user; the current user if undefined. */
  readonly user?: { readonly uid: number; readonly gid: number } | undefined
}

/**
 * Runs orders until standard input ends, and then cleans up. The input ends when stop() is called or this process dies,
 * so even kill -9 leaves nothing behind.
 */
const loop = `
trap '' PIPE HUP INT TERM
say() {
  if "$@" >>"$FOLDER/log" 2>&1 </dev/null; then echo done; else echo failed; fi
}
while read -r order; do say "$order"; done
cd /
clean_up >/dev/null 2>&1
`

/** Starts a process that manages resources which must be cleaned up in any case. */
export function startKeeper({ what, script, folder, variables, user }: KeeperSettings): Keeper {
  const child = spawn('/bin/sh', ['-c', script + loop], {
    ...user,
    cwd: folder,
    // In its own session, the keeper and its children do not get the terminal's Ctrl-C.
    detached: true,
    stdio: ['pipe', 'pipe', 'ignore'],
    env: {
      PATH: '/usr/bin:/bin:/usr/sbin:/sbin',
      LC_ALL: 'C',
      FOLDER: folder,
      ...variables,
    },
  })
  const ended = once(child, 'exit')
  return {
    order: async (order) => {
      child.stdin.write(`${order}\n`)
      const [answer] = await Promise.race([once(child.stdout, 'data'), ended])
      if (String(answer).trim() === 'done') return
      throw new Error(`${what} did not ${order}:\n${readFileSync(join(folder, 'log'), 'utf8')}`)
    },
    stop: async () => {
      child.stdin.end()
      await ended
    },
  }
}
