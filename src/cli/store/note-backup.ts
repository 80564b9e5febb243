import { counted } from '#domain/text/counted.ts'
import type { AuditLog } from '#server/operators/audit.ts'
import { commandLineActor } from '../operators/command-line-actor.ts'
import { printFault } from '../terminal/print.ts'

/**
 * That a copy of all leads was taken stands in the audit, wherever it can be written. A store that is full, read-only or of a
 * version before is copied all the same: that it was not noted is said, and is no failure.
 */
export async function noteBackup(
  inAudit: (note: (audit: AuditLog) => Promise<void>) => Promise<void>,
  leads: number,
): Promise<void> {
  const note = async (audit: AuditLog): Promise<void> => {
    const id = await audit.record(commandLineActor(), { action: 'took a backup' }, Date.now())
    await audit.recordOutcome(id, counted(leads, 'lead'))
  }
  await inAudit(note).catch((error: unknown) => {
    const why = error instanceof Error ? error.message : String(error)
    printFault(`The backup is not in the audit, which could not be written: ${why}`)
  })
}
