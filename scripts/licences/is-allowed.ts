import type { PackageLicence } from './packages.ts'

/** They ask for their text to be kept, and no more: https://spdx.org/licenses/ */
const permissive = new Set([
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'CC0-1.0',
  'ISC',
  'MIT',
])

/** Of tools: what they make does not come under it, and they are not handed on. */
const forTools = new Set(['LGPL-3.0-or-later', 'MPL-2.0', 'OFL-1.1', 'Python-2.0', 'Zlib'])

/** Whether a package may be used as it is. What is in neither list is for a person to read first. */
export function isAllowed({ licence, use }: PackageLicence): boolean {
  const isKnown = (id: string) => permissive.has(id) || (use === 'development' && forTools.has(id))
  return licence
    .replace(/[()]/g, '')
    .split(' OR ')
    .some((choice) => choice.split(' AND ').every(isKnown))
}
