import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { abuseSignals } from '#domain/abuse/signals.ts'
import { areaPath, areas, programTypes } from '#domain/area.ts'
import { reasonDescriptions, rejectionCauses } from '#domain/delivery/outcome.ts'
import { secretSettingNames } from '#server/config/read-settings.ts'

const root = resolve(import.meta.dirname, '../..')
const codeIn = (path: string): readonly string[] =>
  readFileSync(resolve(root, path), 'utf8').match(/`[^`\n]+`/g) ?? []

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
    const runbook = readFileSync(resolve(root, 'docs/runbook.md'), 'utf8').toLowerCase()
    expect(runbook).toContain(`\n- *${reasonDescriptions[cause]}*:`)
  })
})
