import { filterQuery, readLeadFilter } from '#domain/lead/read-lead-filter.ts'
import type { ConsoleContext } from '../../console-env.ts'
import type { LeadsAddress } from './leads-address.ts'

type ValuesOf = (name: string) => readonly string[]

/** What the address asks for, right or wrong. Names are asked for one by one: whatever else was sent costs nothing. */
function readAddress(valuesOf: ValuesOf) {
  const read = readLeadFilter(valuesOf)
  const address: LeadsAddress = {
    query: filterQuery(read.given),
    searchId: valuesOf('search')[0],
  }
  return { read, address, cursor: valuesOf('after')[0] }
}

export type AskedForLeads = ReturnType<typeof readAddress>

/** That of a page that is asked for. */
export const readAddressOf = (c: ConsoleContext): AskedForLeads =>
  readAddress((name) => c.req.queries(name) ?? [])

/** The same of the part of an address that a form repeats. */
export function readAddressIn(query: string): AskedForLeads {
  const params = new URLSearchParams(query)
  return readAddress((name) => params.getAll(name))
}
