import { readFileSync } from 'node:fs'
import { isAllowed } from './licences/is-allowed.ts'
import { packagesOf } from './licences/packages.ts'

const lockFile = new URL('../package-lock.json', import.meta.url)
const packages = packagesOf(JSON.parse(readFileSync(lockFile, 'utf8')))
const width = Math.max(...packages.map(({ licence }) => licence.length))

for (const use of ['shipped', 'development'] as const) {
  const ofUse = packages
    .filter((one) => one.use === use)
    .toSorted((a, b) => a.licence.localeCompare(b.licence) || a.name.localeCompare(b.name))
  console.log(`\n${use}: ${ofUse.length} packages`)
  for (const { name, version, licence } of ofUse) {
    console.log(`  ${licence.padEnd(width)}  ${name} ${version}`)
  }
}

const unknown = packages.filter((one) => !isAllowed(one))
if (unknown.length > 0) {
  const names = unknown.map(({ name, licence }) => `${name} (${licence || 'none said'})`)
  console.error(`\nA person should read the licence of: ${names.join(', ')}`)
  process.exitCode = 1
}
