import { authorise } from '#server/operators/authorise.ts'
import type { ConsoleActor } from '#server/operators/operator.ts'

/** How far a file is that is being written. */
export interface ExportProgress {
  /** Leads written. */
  readonly done: number
  readonly state: 'running' | 'whole' | 'cut off'
}

/** In the store, as another console process may be asked. */
export interface ExportProgresses {
  keep(id: string, operatorId: string, progress: ExportProgress, now: number): Promise<void>
  /** Undefined where it has not begun, or is another operator's. */
  find(id: string, operatorId: string): Promise<ExportProgress | undefined>
}

/** A page asks once a second. */
const keptEvery = 1000

/** Keeps what it is told, now and then; what cannot be kept stops no export. */
export function keepProgress(
  keep: (progress: ExportProgress) => Promise<void>,
): (progress: ExportProgress) => void {
  let keptAt = Number.NEGATIVE_INFINITY
  let last = Promise.resolve()
  return (progress) => {
    if (progress.state === 'running' && performance.now() - keptAt < keptEvery) return
    keptAt = performance.now()
    last = last.then(() => keep(progress)).catch(() => undefined)
  }
}

export const makeReadExportProgress =
  (progresses: Pick<ExportProgresses, 'find'>, clock: () => number) =>
  async (actor: ConsoleActor, id: string): Promise<ExportProgress | undefined> => {
    authorise(actor, 'see leads', clock())
    return progresses.find(id, actor.id)
  }
