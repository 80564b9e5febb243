import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export interface Keeper {
  /** Resolves once it is done; rejects with what the keeper's log says where it fails. */
  order(order: string): Promise<void>
  /** Ends it, and resolves when it has cleaned up. */
  stop(): Promise<void>
}

export interface KeeperSettings {
  /** What it needs in a sentence such as `it did not start`. */
  readonly what: string
  /** Shell functions: one for each order, and `clean_up`. */
  readonly script: string
  /** Its own, with its log; called FOLDER in the script, which must remove it in `clean_up`. */
  readonly folder: string
  /** More for its environment. */
  readonly variables: Readonly<Record<string, string>>
  /** Who it runs as; whoever we are without. */
  readonly user?: { readonly uid: number; readonly gid: number } | undefined
}

/**
 * Obeys orders until its standard input ends, then cleans up. The input ends when stop() is called, and also when our
 * process dies, however it dies: even kill -9 leaves nothing behind.
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

/** Starts a process that keeps what must not be left behind. */
export function startKeeper({ what, script, folder, variables, user }: KeeperSettings): Keeper {
  const child = spawn('/bin/sh', ['-c', script + loop], {
    ...user,
    cwd: folder,
    // A session of its own: Ctrl-C in the terminal must not reach it, or what it has started.
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
