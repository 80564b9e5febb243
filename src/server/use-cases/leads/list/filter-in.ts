import { type ReadFilter, readLeadFilter } from '#domain/lead/read-lead-filter.ts'

/** What the part of an address after its question mark means, right or wrong. */
export function filterIn(query: string): ReadFilter {
  const params = new URLSearchParams(query)
  return readLeadFilter((name) => params.getAll(name))
}
