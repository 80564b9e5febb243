import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const root = resolve(import.meta.dirname, '../..')

interface Bill {
  readonly bomFormat: string
  readonly specVersion: string
  readonly components: readonly {
    name: string
    version: string
    purl: string
    hashes?: unknown[]
  }[]
}

test('npm run sbom lists every shipped package with its version and hash', async () => {
  const { stdout } = await promisify(execFile)('npm', ['run', '--silent', 'sbom'], {
    cwd: root,
    maxBuffer: 16 * 1024 * 1024,
  })
  const { bomFormat, specVersion, components } = JSON.parse(stdout) as Bill
  expect(bomFormat).toBe('CycloneDX')
  expect(specVersion).toMatch(/^1\.[5-9]$/)
  const { dependencies, devDependencies } = JSON.parse(
    readFileSync(resolve(root, 'package.json'), 'utf8'),
  )
  const names = components.map(({ name }) => name)
  expect(names).toEqual(expect.arrayContaining(Object.keys(dependencies)))
  expect(names.filter((name) => name in devDependencies)).toEqual([])
  for (const { purl, hashes } of components) {
    expect(purl).toMatch(/^pkg:npm\/.+@\d/)
    expect(hashes, purl).toHaveLength(1)
  }
})
