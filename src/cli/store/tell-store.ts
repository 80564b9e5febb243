import { isAbsolute } from 'node:path'
import { counted } from '#domain/text/counted.ts'
import { serverInWords } from '#server/platform/database/lead-database.ts'
import { movedInWords, type StoreState } from '#server/platform/database/store-state.ts'
import { print, printFault } from '../terminal/print.ts'

export interface Report {
  /** Stdout is for a program to read. */
  readonly json?: boolean | undefined
}

/**
 * Says which store a report is about, so that nobody takes another one's figures for production's: above it, or on
 * stderr, where it is in no script's way.
 */
export function tellStore(state: StoreState, { json }: Report): void {
  if (json) printFault(inWords(state))
  else print(`${inWords(state)}\n`)
}

function inWords({ place, leads, servers, movedTo }: StoreState): string {
  const users =
    servers.length === 0 ? nobody(place) : `in use by ${servers.map(serverInWords).join('; ')}`
  const store = `Store: ${place} (${counted(leads, 'lead')}; ${users})`
  return movedTo === undefined
    ? store
    : `${store}\n${movedInWords('this store', movedTo)} What is said here is of before that.`
}

/** A file is held by its server; of a database the connections are seen, which it may have ended. */
const nobody = (place: string): string =>
  isAbsolute(place)
    ? 'no server is using it'
    : 'no server is connected to it; one at rest is not seen'
