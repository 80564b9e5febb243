import { execFileSync } from 'node:child_process'
import { cp, mkdir, readdir, readFile, rename, symlink, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { removeInventedFactsIn } from '#tests/content/without-invented-facts.ts'
import { builtFile } from '#tests/product/built-file.ts'

const root = resolve(import.meta.dirname, '../..')

/**
 * Installs the current build as a release. The letter renames its browser files, as another version would.
 * @param product the folder in place of /opt/campus-enquiry
 */
export async function makeRelease(product: string, name: string, letter: string): Promise<void> {
  const release = join(product, 'releases', name)
  await mkdir(release, { recursive: true })
  await cp(builtFile(''), join(release, 'dist'), { recursive: true })
  for (const part of ['catalogue', 'content', 'deploy', 'package.json']) {
    await cp(join(root, part), join(release, part), { recursive: true })
  }
  await symlink(join(root, 'node_modules'), join(release, 'node_modules'))
  const client = join(release, 'dist/client')
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

/**
 * Makes a clone with the tags a and b, with the parts that deploy/upgrade.sh reads.
 * @returns the script, and the names of the two releases
 */
export async function makeSource(product: string, folder = root) {
  const source = join(product, 'source')
  for (const part of ['catalogue', 'content', 'deploy', 'package.json']) {
    await cp(join(folder, part), join(source, part), { recursive: true })
  }
  removeInventedFactsIn(join(source, 'content'))
  const author = ['-c', 'user.name=A', '-c', 'user.email=a@example.edu']
  const git = (...args: readonly string[]) =>
    execFileSync('git', ['-C', source, ...author, ...args], { encoding: 'utf8' }).trim()
  git('init', '--quiet')
  git('add', '--all', '--force')
  const names = ['a', 'b'].map((tag) => {
    git('commit', '--quiet', '--allow-empty', `--message=${tag}`)
    git('tag', tag)
    return git('rev-parse', '--short=7', 'HEAD')
  })
  return { script: join(source, 'deploy/upgrade.sh'), names: names as [string, string] }
}
