/** Words in a query that are not names of metrics, after labels, ranges and strings were removed. */
const words = new Set(['and', 'or', 'unless', 'offset', 'by', 'on', 'ignoring', 'without', 'bool'])

/** Metrics that Prometheus itself adds for each target. */
const ownOfPrometheus = new Set(['up'])

/** The metrics that a PromQL query reads, by the names that a process declares. */
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
