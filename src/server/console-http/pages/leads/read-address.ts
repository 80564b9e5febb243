import { filterQuery, readLeadFilter } from '#domain/lead/read-lead-filter.ts'
import type { LeadsAddress } from './leads-address.ts'

type Queries = Readonly<Record<string, readonly string[]>>

/** What the address asks for, right or wrong. */
export function readAddress(queries: Queries) {
  const read = readLeadFilter((name) => queries[name] ?? [])
  const address: LeadsAddress = { query: filterQuery(read.given), searchId: queries.search?.[0] }
  return { read, address, cursor: queries.after?.[0] }
}

export type AskedForLeads = ReturnType<typeof readAddress>

/** The same of the part of an address that a form repeats. */
export function readAddressIn(query: string): AskedForLeads {
  const params = new URLSearchParams(query)
  return readAddress(
    Object.fromEntries([...params.keys()].map((name) => [name, params.getAll(name)])),
  )
}
