import { filterNames, filterQuery, readLeadFilter } from '#domain/lead/read-lead-filter.ts'
import type { ConsoleContext } from '../console-env.ts'
import type { LeadsAddress } from './leads-address.ts'

type ValuesOf = (name: string) => readonly string[]

const known: readonly string[] = [...filterNames, 'search', 'after']

/** What the address asks for, right or wrong. */
function readAddress(valuesOf: ValuesOf, names: Iterable<string>) {
  const read = readLeadFilter(valuesOf)
  const address: LeadsAddress = {
    query: filterQuery(read.given),
    searchId: valuesOf('search')[0],
  }
  return {
    read,
    address,
    cursor: valuesOf('after')[0],
    /** Mistyped, or a filter of another version: left out, it would mean more leads than were asked for. */
    unknownName: [...names].find((name) => !known.includes(name)),
  }
}

export type AskedForLeads = ReturnType<typeof readAddress>

/** Nothing is to be done by what cannot be meant. */
export const isMeant = ({ read, unknownName }: AskedForLeads): boolean =>
  unknownName === undefined && Object.keys(read.faults).length === 0

/** That of a page that is asked for. */
export const readAddressOf = (c: ConsoleContext): AskedForLeads =>
  readAddress((name) => c.req.queries(name) ?? [], Object.keys(c.req.queries()))

/** The same of the part of an address that a form repeats. */
export function readAddressIn(query: string): AskedForLeads {
  const params = new URLSearchParams(query)
  return readAddress((name) => params.getAll(name), params.keys())
}
