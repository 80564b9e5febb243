import { execFileSync } from 'node:child_process'
import { chownSync, cpSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

export interface SystemUser {
  readonly uid: number
  readonly gid: number
}

/** The user who runs PostgreSQL, which refuses root. Undefined if this process is not root and runs PostgreSQL itself. */
export function unprivilegedUser(): SystemUser | undefined {
  if (process.getuid?.() !== 0) return undefined
  const users = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
  const user =
    users.find(([name]) => name === 'postgres') ?? users.find(([name]) => name === 'nobody')
  if (user === undefined)
    throw new Error('As root, PostgreSQL needs a user "postgres" or "nobody".')
  return { uid: Number(user[2]), gid: Number(user[3]) }
}

export function chownTo(user: SystemUser | undefined, ...paths: readonly string[]): void {
  if (user === undefined) return
  for (const path of paths) chownSync(path, user.uid, user.gid)
}

/**
 * A bin folder that the user can read: root's home is closed to others, so programs that npm installed there are copied
 * with their libraries.
 */
export function programsFor(user: SystemUser | undefined, bin: string, folder: string): string {
  const isReachable = ancestors(realpathSync(bin)).every(
    (path) => (statSync(path).mode & 0o001) > 0,
  )
  if (user === undefined || isReachable) return bin
  const copy = join(folder, 'native')
  cpSync(dirname(bin), copy, { recursive: true, verbatimSymlinks: true })
  // The keeper runs as that user and must be able to remove the copy.
  execFileSync('chown', ['-R', `${user.uid}:${user.gid}`, copy])
  return join(copy, basename(bin))
}

function ancestors(path: string): string[] {
  return path === dirname(path) ? [path] : [path, ...ancestors(dirname(path))]
}
