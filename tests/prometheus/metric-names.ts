/** What stands in a query beside names of metrics, once labels, ranges and strings are gone. */
const words = new Set(['and', 'or', 'unless', 'offset', 'by', 'on', 'ignoring', 'without', 'bool'])

/** Prometheus' own, of each target. */
const ownOfPrometheus = new Set(['up'])

/** The metrics that a PromQL query reads, by the names under which a process declares them. */
export function metricNames(query: string): readonly string[] {
  const bare = query
    .replace(/"[^"]*"/g, '')
    .replace(/\{[^}]*\}|\[[^\]]*\]/g, '')
    .replace(/\b(?:by|on|ignoring|without) *\([^)]*\)/g, '')
  return [...bare.matchAll(/(?<![\w$])[a-z_]\w*(?! *\(|\w)/g)]
    .map(([name]) => name)
    .filter((name) => !words.has(name) && !ownOfPrometheus.has(name))
    .map((name) => name.replace(/_(bucket|count|sum)$/, ''))
}
