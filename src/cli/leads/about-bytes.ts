import type { ErasedPerson } from '#server/leads/erase-person.ts'

/** Whether anything of what was erased is still to be found. */
export const erasedBytesNotes: Readonly<Record<ErasedPerson['bytes'], string>> = {
  wiped: 'The files of the store hold none of it any more; backups and exports may.',
  'wipe again':
    'The tables hold none of it any more, but another process was using the log beside the file: run ' +
    'this again, or restart the server. Backups and exports may hold it.',
  'left to the database':
    'PostgreSQL overwrites the old rows after VACUUM; backups and exports may hold them.',
}
