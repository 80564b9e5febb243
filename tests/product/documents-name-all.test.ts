import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { abuseSignals } from '#domain/abuse/signals.ts'
import { areaPath, areas, programTypes } from '#domain/area.ts'
import { reasonDescriptions, rejectionCauses } from '#domain/delivery/outcome.ts'
import { funnelGroupings, leadDimensions } from '#domain/measuring/funnel.ts'
import { describeRange, rangeNames } from '#domain/measuring/periods.ts'
import { secretSettingNames } from '#server/config/read-settings.ts'

const root = resolve(import.meta.dirname, '../..')
const read = (path: string): string => readFileSync(resolve(root, path), 'utf8')
const codeIn = (path: string): readonly string[] => read(path).match(/`[^`\n]+`/g) ?? []
const lineOf = (path: string, start: string): string =>
  read(path)
    .split('\n')
    .find((line) => line.startsWith(start)) ?? ''

describe('a document names', () => {
  test.each(areas.map(areaPath))('the page %s in README.md', (path) => {
    expect(codeIn('README.md')).toContain(`\`${path}\``)
  })

  test.each(programTypes)('the type %s in catalogue/README.md', (type) => {
    expect(codeIn('catalogue/README.md')).toContain(`\`${type}\``)
  })

  test.each(secretSettingNames)('the secret %s in docs/deploy.md', (name) => {
    expect(codeIn('docs/deploy.md')).toContain(`\`${name}_FILE\``)
  })

  test.each(abuseSignals)('the signal %s in docs/abuse.md', (signal) => {
    expect(codeIn('docs/abuse.md')).toContain(`\`${signal}\``)
  })

  test.each(rejectionCauses)('the rejection by %s in docs/runbook.md', (cause) => {
    expect(read('docs/runbook.md').toLowerCase()).toContain(`\n- *${reasonDescriptions[cause]}*:`)
  })

  test.each(rangeNames)('the range %s in docs/console.md', (name) => {
    const ranges = lineOf('docs/console.md', '*Overview*, *Funnel*, *Affiliates* and')
    expect(ranges).toContain(describeRange(name).toLowerCase())
  })

  test.each(funnelGroupings)('the dimension %s of Funnel in docs/console.md', (name) => {
    expect(lineOf('docs/console.md', '- **Compared by**').split(/\W+/)).toContain(name)
  })

  test.each(leadDimensions)('the dimension %s of leads in docs/measuring.md', (name) => {
    const definitions = read('docs/measuring.md').matchAll(/^\| ([\w, ]+) \|/gm)
    expect([...definitions].flatMap(([, names = '']) => names.split(', '))).toContain(name)
  })
})
