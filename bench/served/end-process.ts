import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'

/** Ends a process of the benchmark, which has nothing to finish, and waits until it has ended. */
export async function endProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill()
  await once(child, 'exit')
}
