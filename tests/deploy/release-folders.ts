import { cp, mkdir, readdir, readFile, rename, symlink, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { builtFile } from '#tests/product/built-file.ts'

const root = resolve(import.meta.dirname, '../..')

/**
 * Puts what is built here beside others as a release of this name. Its browser files have names of their own, as those of
 * another version have.
 * @param product in the place of /opt/campus-enquiry
 */
export async function makeRelease(product: string, name: string): Promise<void> {
  const release = join(product, 'releases', name)
  await mkdir(release, { recursive: true })
  await cp(builtFile(''), join(release, 'dist'), { recursive: true })
  for (const part of ['catalogue', 'content', 'package.json']) {
    await cp(join(root, part), join(release, part), { recursive: true })
  }
  await symlink(join(root, 'node_modules'), join(release, 'node_modules'))
  const client = join(release, 'dist/client')
  const letter = name.at(-1) ?? ''
  const renamed = (file: string) => file.replace(/^([a-z-]+)-[\w-]{8}(?=\.)/, `$1-release${letter}`)
  const files = await readdir(join(client, 'assets'))
  for (const file of files) {
    await rename(join(client, 'assets', file), join(client, 'assets', renamed(file)))
  }
  const manifest = join(client, '.vite/manifest.json')
  const text = await readFile(manifest, 'utf8')
  await writeFile(
    manifest,
    text.replaceAll(/(?<=assets\/)[\w.-]+/g, (file) => renamed(file)),
  )
}

/** The clone, as far as `deploy/releases` looks at it. Resolves with the script. */
export async function makeSource(product: string): Promise<string> {
  const scripts = join(product, 'source/deploy/releases')
  await cp(join(root, 'deploy/releases'), scripts, { recursive: true })
  return join(scripts, 'main.mjs')
}
