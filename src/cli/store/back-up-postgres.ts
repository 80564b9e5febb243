import { stat } from 'node:fs/promises'
import { counted } from '#domain/text/counted.ts'
import {
  ClientToolMissingError,
  dumpPostgres,
} from '#server/platform/database/postgres/dump-postgres.ts'
import { exitCodes } from '../exit-codes.ts'
import { NotDoneError } from '../not-done-error.ts'
import { print, printJson } from '../terminal/print.ts'
import { noteBackup } from './note-backup.ts'
import { withStoreAsItIs } from './with-store.ts'
import { writeWhole } from './write-whole.ts'

/** By pg_dump, which reads at one moment: what is said to be in it was there before. */
export function backUpPostgres(
  databaseUrl: string,
  file: string,
  report: { json?: boolean | undefined },
): Promise<void> {
  return withStoreAsItIs(async (store) => {
    const { leads } = await store.state()
    const bytes = await writeWhole(file, async (part) => {
      await dumpPostgres(databaseUrl, part).catch((error: unknown) => {
        throw error instanceof ClientToolMissingError ? isMissing(error) : error
      })
      return (await stat(part)).size
    })
    await noteBackup((note) => note(store.audit), leads)
    if (report.json) return printJson({ file, leads, bytes })
    print(`At least ${counted(leads, 'lead')}, in ${file} (${counted(bytes, 'byte')}), checked.`)
    print('The file holds personal data.')
  }, report)
}

const isMissing = ({ program }: ClientToolMissingError): NotDoneError =>
  new NotDoneError(
    `${program} is not on this machine: nothing was written. Install PostgreSQL’s client programs, of the server’s ` +
      'version or a later one (Debian: postgresql-client). With compose.yaml: docker compose exec database pg_dump, as in ' +
      'docs/deploy.md.',
    exitCodes.unavailable,
  )
