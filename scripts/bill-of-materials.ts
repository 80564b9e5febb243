import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { listPackages } from './licenses.ts'

interface Bill {
  readonly components: readonly { readonly 'bom-ref': string }[]
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[]
}

const root = fileURLToPath(new URL('..', import.meta.url))
const packages = listPackages(JSON.parse(readFileSync(`${root}package-lock.json`, 'utf8')))
const development = new Set(
  packages
    .filter(({ use }) => use === 'development')
    .map(({ name, version }) => `${name}@${version}`),
)
for (const { use, name, version } of packages) {
  if (use === 'shipped') development.delete(`${name}@${version}`)
}

// npm's own `--omit dev` also leaves out shipped packages that are optional peers of a tool, such as `yaml` for Vite, and
// NODE_ENV=production turns it on.
const wanted = ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only', '--include=dev']
const bill: Bill = JSON.parse(
  execFileSync('npm', wanted, { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 }),
)
const isShipped = (ref: string) => !development.has(ref)
const shipped: Bill = {
  ...bill,
  components: bill.components.filter((component) => isShipped(component['bom-ref'])),
  dependencies: bill.dependencies
    .filter(({ ref }) => isShipped(ref))
    .map((one) => ({ ...one, dependsOn: one.dependsOn.filter(isShipped) })),
}
console.log(JSON.stringify(shipped, null, 2))
