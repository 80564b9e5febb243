export interface PackageLicence {
  readonly name: string
  readonly version: string
  /** An SPDX expression, or what the package says instead; empty where it says nothing. */
  readonly licence: string
  /** Shipped with the product, or only needed to build and test it. */
  readonly use: 'shipped' | 'development'
}

interface LockFile {
  readonly packages: Readonly<Record<string, LockedPackage>>
}

interface LockedPackage {
  readonly version?: string
  readonly license?: string
  readonly dev?: boolean
  /** Of a tool, and an optional peer of what is shipped. */
  readonly devOptional?: boolean
}

/** What package.json files say in other words than SPDX's, read from the licence's text. */
const readByHand: Readonly<Record<string, string>> = {
  // Its LICENSE is the one with three clauses.
  zipcodes: 'BSD-3-Clause',
}

/** Every package of a lock file, those for other platforms included. */
export const packagesOf = ({ packages }: LockFile): PackageLicence[] =>
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
