import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { type SystemUser, unprivilegedUser } from '#tests/postgres/unprivileged-user.ts'
import type { Image } from './replay-image.ts'

export interface Contained {
  readonly process: ChildProcess
  readonly stdout: Readable
  readonly stderr: Readable
  /** Sends the signal to the container's first process, and resolves with its exit code. */
  end(signal: 'SIGTERM'): Promise<number | null>
}

const user = unprivilegedUser()

/** Whether this machine can make namespaces without a container engine (Debian's package bubblewrap). */
export const hasNamespaces = canIsolate()

function canIsolate(): boolean {
  try {
    execFileSync('bwrap', ['--ro-bind', '/', '/', '--unshare-pid', 'true'], {
      stdio: 'ignore',
      ...user,
    })
    return true
  } catch {
    return false
  }
}

/**
 * Starts a command as an unprivileged user who can write only to /data. With namespaces it sees the image's own paths
 * and is process 1, as in a container. Without namespaces the image is in a folder that the user cannot write to.
 */
export async function contain(
  image: Image,
  command: readonly string[],
  variables: Readonly<Record<string, string>> = {},
): Promise<Contained> {
  return hasNamespaces
    ? isolate(image, command, { ...image.env, ...variables })
    : confine(image, command, { ...image.env, ...variables })
}

/** Runs a command in the container to its end. */
export async function runContained(...args: Parameters<typeof contain>) {
  const { process: child, stdout, stderr } = await contain(...args)
  const [output, errors, [code]] = await Promise.all([
    text(stdout),
    text(stderr),
    once(child, 'exit'),
  ])
  return { code, stdout: output, stderr: errors }
}

type Start = (
  image: Image,
  command: readonly string[],
  env: Readonly<Record<string, string>>,
) => Promise<Contained>

const isolate: Start = async (image, command, env) => {
  const child = spawn('bwrap', [...mountsFor(image), '--', ...command], {
    // bubblewrap writes the process id of the started command to the fourth descriptor.
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    env: { ...env, PATH: '/usr/local/bin:/usr/bin:/bin' },
    ...user,
  })
  const [, stdout, stderr, news] = child.stdio as unknown as Readable[]
  const { 'child-pid': pid } = JSON.parse(await text(news as Readable))
  return {
    process: child,
    stdout: stdout as Readable,
    stderr: stderr as Readable,
    end: async (signal) => {
      process.kill(pid, signal)
      const [code] = await once(child, 'exit')
      return code
    },
  }
}

/** A read-only root, as with `docker run --read-only`, in which only /data is writable. */
const mountsFor = ({ root, workdir }: Image): readonly string[] => [
  ...['--tmpfs', '/', '--ro-bind', '/usr', '/usr', '--proc', '/proc', '--dev', '/dev'],
  ...['lib', 'lib64', 'bin'].flatMap((name) => ['--symlink', `usr/${name}`, `/${name}`]),
  ...['--ro-bind', join(root, 'usr/local/bin'), '/usr/local/bin'],
  ...['--ro-bind', join(root, 'app'), '/app', '--bind', join(root, 'data'), '/data'],
  ...['--remount-ro', '/', '--chdir', workdir, '--die-with-parent', '--new-session'],
  ...['--unshare-pid', '--as-pid-1', '--unshare-ipc', '--unshare-uts', '--cap-drop', 'ALL'],
  ...['--info-fd', '3'],
]

const confine: Start = async (image, command, env) => {
  const { DATA_DIR = '' } = env
  const child = spawn(command[0] ?? '', command.slice(1), {
    cwd: join(image.root, image.workdir),
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...env,
      DATA_DIR: join(image.root, DATA_DIR),
      PATH: `${join(image.root, 'usr/local/bin')}:/usr/bin:/bin`,
    },
    ...user,
  })
  return {
    process: child,
    stdout: child.stdout,
    stderr: child.stderr,
    end: async (signal) => {
      child.kill(signal)
      const [code] = await once(child, 'exit')
      return code
    },
  }
}

/** The user of this machine in place of the image's user. */
export const containedUser: SystemUser = user ?? {
  uid: process.getuid?.() ?? 0,
  gid: process.getgid?.() ?? 0,
}
