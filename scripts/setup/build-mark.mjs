import { readdirSync } from 'node:fs'
import { contentHash, filesUnder } from './content-hash.mjs'

/**
 * One hash of what dist is made of: it tells whether a build is stale, and which build a running product is.
 * @param {string} root
 * @returns {string} sha256, hex
 */
export const buildMark = (root) =>
  contentHash(root, [
    ...sources(root),
    // Pictures for sharing have the operator's words and colors.
    ...filesUnder(root, 'content'),
    ...filesUnder(root, 'site-pictures'),
  ])

/**
 * The same of dist/server, which has nothing of the operator's own files in it.
 * @param {string} root
 * @returns {string} sha256, hex
 */
export const serverMark = (root) => contentHash(root, sources(root))

/** @param {string} root */
function sources(root) {
  const settings = /^(package-lock\.json|vite\.config\.ts|tsconfig.*\.json)$/
  return [
    ...readdirSync(root).filter((name) => settings.test(name)),
    // The build's own plugins stand among the scripts.
    ...filesUnder(root, 'scripts').filter((path) =>
      /^scripts\/([^/]+\.ts|(pictures|fonts)\/.+)$/.test(path),
    ),
    ...filesUnder(root, 'src').filter((path) => !/\.test\.tsx?$/.test(path)),
  ]
}
