import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { foldersAround } from '../../deploy/releases/folders.mjs'
import { installRelease } from '../../deploy/releases/install.mjs'

const scripts = resolve(import.meta.dirname, '../../scripts')

test('in an installed release npm brings nothing and builds nothing: a server runs from it', async () => {
  const root = mkdtempSync(join(tmpdir(), 'installed-'))
  onTestFinished(() => rmSync(root, { recursive: true }))
  const source = join(root, 'source')
  mkdirSync(source)
  cpSync(scripts, join(source, 'scripts'), { recursive: true })
  const build = 'mkdir -p dist/server && touch dist/server/main.js'
  writeFileSync(
    join(source, 'package.json'),
    JSON.stringify({ version: '7.0.0', scripts: { build } }),
  )
  const git = (...args: readonly string[]) =>
    execFileSync('git', [
      '-C',
      source,
      '-c',
      'user.name=A',
      '-c',
      'user.email=a@example.edu',
      ...args,
    ])
  git('init', '--quiet')
  git('add', '--all')
  git('commit', '--quiet', '--message', 'a release')
  const folders = foldersAround(join(source, 'deploy/releases'))
  const release = folders.release(await installRelease(folders, 'HEAD', () => undefined))

  const before = readdirSync(release)
  const ask = (verb: string) =>
    spawnSync(process.execPath, [join(release, 'scripts/setup.mjs'), verb], { encoding: 'utf8' })
  expect(ask('leads')).toMatchObject({ status: 0, stdout: '', stderr: '' })
  const refused = ask('build')
  expect(refused.status).toBe(1)
  expect(refused.stdout + refused.stderr).toContain('This is an installed release')
  expect(readdirSync(release)).toEqual(before)
})
