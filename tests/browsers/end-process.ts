import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'

const started = new Set<ChildProcess>()

/** Remembers a process until it ends, so that an interrupted run leaves no process behind. */
export function remember<Child extends ChildProcess>(child: Child): Child {
  started.add(child)
  child.once('exit', () => started.delete(child))
  return child
}

/** Ends a process that this run started, if it still runs, and waits until it has ended. */
export async function endProcess(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  child.kill()
  await gone
}

export const endStarted = () => Promise.all([...started].map(endProcess))
