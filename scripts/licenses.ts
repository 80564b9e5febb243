import { readFileSync } from 'node:fs'

export interface PackageLicense {
  readonly name: string
  readonly version: string
  /** An SPDX expression or the package's own words; empty if it names no license. */
  readonly license: string
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

/** Licenses that were read from the text, because their package.json names no SPDX identifier. */
const readByHand: Readonly<Record<string, string>> = {
  // The package's LICENSE file is the three-clause BSD license.
  zipcodes: 'BSD-3-Clause',
}

/** Every package of a lock file, including packages for other platforms. */
export const listPackages = ({
  packages,
}: {
  readonly packages: Readonly<Record<string, LockedPackage>>
}): PackageLicense[] =>
  Object.entries(packages)
    .filter(([path]) => path !== '')
    .map(([path, { version = '', license = '', dev, devOptional }]) => {
      const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
      return {
        name,
        version,
        license: readByHand[name] ?? license,
        use: dev === true || devOptional === true ? 'development' : 'shipped',
      }
    })

/** These licenses only require that their text is kept: https://spdx.org/licenses/ */
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

/** Licenses that are allowed for tools only. They do not cover what a tool produces, and tools are not shipped. */
const forTools = new Set(['LGPL-3.0-or-later', 'MPL-2.0', 'OFL-1.1', 'Python-2.0', 'Zlib'])

/** Whether a package may be used without a review. A person must first read any license that is on neither list. */
export function isAllowed({ license, use }: PackageLicense): boolean {
  const isKnown = (id: string) => permissive.has(id) || (use === 'development' && forTools.has(id))
  return license
    .replace(/[()]/g, '')
    .split(' OR ')
    .some((choice) => choice.split(' AND ').every(isKnown))
}

/** `npm run licenses` lists every package, and fails if a person should read a license first. */
if (import.meta.main) {
  const lockFile = new URL('../package-lock.json', import.meta.url)
  const packages = listPackages(JSON.parse(readFileSync(lockFile, 'utf8')))
  const sorted = packages.toSorted(
    (a, b) => a.license.localeCompare(b.license) || a.name.localeCompare(b.name),
  )
  for (const { use, name, version, license } of sorted) {
    console.log(`${use.padEnd(13)}${license.padEnd(28)}  ${name} ${version}`)
  }
  const unknown = packages.filter((one) => !isAllowed(one))
  if (unknown.length > 0) {
    const names = unknown.map(({ name, license }) => `${name} (${license || 'no license named'})`)
    console.error(`\nA person should read the license of: ${names.join(', ')}`)
    process.exitCode = 1
  }
}
