import { filterNames } from '#domain/lead/read-lead-filter.ts'
import { escapeUnseen } from '#domain/text/escape-unseen.ts'
import { filterIn } from '#server/leads/lead-filters.ts'
import { fieldsFor, type KnownValues, labelOf } from './filter-form.ts'

/** Each part of a filter, as `Status: dead or rejected`; none where every lead is meant. */
export function filterInWords(query: string, known: KnownValues): readonly string[] {
  const { given } = filterIn(query)
  const fields = fieldsFor(known)
  return filterNames
    .filter((name) => given[name].length > 0)
    .map((name) => {
      const values = given[name].map((value) => escapeUnseen(labelOf(fields[name], value)))
      return `${fields[name].label}: ${values.join(' or ')}`
    })
}
