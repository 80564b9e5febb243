import { userInfo } from 'node:os'
import type { CommandLineActor } from '#server/operators/operator.ts'

/** Whoever runs a verb, as the system knows them: what they do stands in the audit. */
export function commandLineActor(): CommandLineActor {
  try {
    return { kind: 'command line', user: userInfo().username }
  } catch {
    // A container may run under a number that has no name.
    return { kind: 'command line', user: `uid ${process.getuid?.() ?? 'unknown'}` }
  }
}
