import { readFileSync } from 'node:fs'

export interface PackageLicence {
  readonly name: string
  readonly version: string
  /** An SPDX expression or the package's own words; empty if it names no licence. */
  readonly licence: string
  /** Whether the package is shipped with the product, or only needed to build and test it. */
  readonly use: 'shipped' | 'development'
}

interface LockedPackage {
  readonly version?: string
  readonly license?: string
  readonly dev?: boolean
  /** True for a tool's package that is also an optional peer of a shipped package. */
  readonly devOptional?: boolean
}

/** Licences that were read from the text, because their package.json names no SPDX identifier. */
const readByHand: Readonly<Record<string, string>> = {
  // The package's LICENSE file is the three-clause BSD license.
  zipcodes: 'BSD-3-Clause',
}

/** Every package of a lock file, including packages for other platforms. */
export const packagesOf = ({
  packages,
}: {
  readonly packages: Readonly<Record<string, LockedPackage>>
}): PackageLicence[] =>
  Object.entries(packages)
    .filter(([path]) => path !== '')
    .map(([path, { version = '', license = '', dev, devOptional }]) => {
      const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
      return {
        name,
        version,
        licence: readByHand[name] ?? license,
        use: dev === true || devOptional === true ? 'development' : 'shipped',
      }
    })

/** These licences only require that their text is kept: https://spdx.org/licenses/ */
const permissive = new Set([
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'CC0-1.0',
  'ISC',
  'MIT',
  'Unlicense',
])

/** Licences that are allowed for tools only. They do not cover what a tool produces, and tools are not shipped. */
const forTools = new Set(['LGPL-3.0-or-later', 'MPL-2.0', 'OFL-1.1', 'Python-2.0', 'Zlib'])

/** Whether a package may be used without a review. A person must first read any licence that is on neither list. */
export function isAllowed({ licence, use }: PackageLicence): boolean {
  const isKnown = (id: string) => permissive.has(id) || (use === 'development' && forTools.has(id))
  return licence
    .replace(/[()]/g, '')
    .split(' OR ')
    .some((choice) => choice.split(' AND ').every(isKnown))
}

/** `npm run licences` lists every package, and fails if a person should read a licence first. */
if (import.meta.main) {
  const lockFile = new URL('../package-lock.json', import.meta.url)
  const packages = packagesOf(JSON.parse(readFileSync(lockFile, 'utf8')))
  const sorted = packages.toSorted(
    (a, b) => a.licence.localeCompare(b.licence) || a.name.localeCompare(b.name),
  )
  for (const { use, name, version, licence } of sorted) {
    console.log(`${use.padEnd(13)}${licence.padEnd(28)}  ${name} ${version}`)
  }
  const unknown = packages.filter((one) => !isAllowed(one))
  if (unknown.length > 0) {
    const names = unknown.map(({ name, licence }) => `${name} (${licence || 'no licence named'})`)
    console.error(`\nA person should read the licence of: ${names.join(', ')}`)
    process.exitCode = 1
  }
}
