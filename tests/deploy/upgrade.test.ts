import { execFileSync, spawnSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'

const root = resolve(import.meta.dirname, '../..')

/** Makes a clone with three tagged releases, the operator's settings, and a systemctl for three processes. */
function makeInstallation() {
  const product = mkdtempSync(join(tmpdir(), 'upgrade-'))
  onTestFinished(() => rmSync(product, { recursive: true }))
  const at = (path: string) => join(product, path)
  const write = (path: string, text: string, mode = 0o644) => {
    mkdirSync(dirname(at(path)), { recursive: true })
    writeFileSync(at(path), text, { mode })
  }
  const asked = at('asked')
  const fails = at('fails')
  const tell = (words: string) =>
    `echo "${words}" >>'${asked}'; ! grep -qxF "${words}" '${fails}' 2>/dev/null`
  const npm = `#!/bin/sh
[ ! -e '${fails}' ] || ! grep -qx build '${fails}' || exit 1
mkdir -p dist/client/assets node_modules/.bin
cp tag dist/name
cp content/site.yaml dist/words
ln -s '${process.execPath}' node_modules/.bin/node
`
  write('bin/npm', npm, 0o755)
  write('source/package.json', JSON.stringify({ version: '7.0.0' }))
  write('source/catalogue/programs.csv', 'shipped')
  write('source/content/site.yaml', 'shipped')
  write('source/deploy/leads', `#!/bin/sh\n${tell('check $UNIT')}\n`, 0o755)
  for (const name of ['upgrade.sh', 'publish-assets.mjs']) {
    write(`source/deploy/${name}`, readFileSync(join(root, 'deploy', name), 'utf8'), 0o755)
  }
  const units = ['console', 'web-1', 'worker'].map((name) => `campus-enquiry@${name}.service`)
  const lines = units.map((unit) => `echo '${unit} loaded active running Campus'`).join('\n')
  write(
    'bin/systemctl',
    `#!/bin/sh
if [ $1 = list-units ]; then
${lines}
exit
fi
unit=\${2#*@}
${tell(`restart \${unit%.service} $(cat '${product}/current/dist/name')`)}
`,
    0o755,
  )
  write('etc/store.env', '')
  const author = ['-c', 'user.name=A', '-c', 'user.email=a@example.edu']
  const git = (...args: readonly string[]) =>
    execFileSync('git', ['-C', at('source'), ...author, ...args], { encoding: 'utf8' }).trim()
  git('init', '--quiet')
  for (const tag of ['one', 'two', 'three']) {
    write('source/tag', tag)
    git('add', '--all')
    git('commit', '--quiet', `--message=${tag}`)
    git('tag', tag)
  }
  return {
    at,
    write,
    /** Makes these commands fail from now on. */
    fail: (...commands: readonly string[]) => writeFileSync(fails, `${commands.join('\n')}\n`),
    upgrade: (tag: string, env: Record<string, string> = {}) => {
      rmSync(asked, { force: true })
      const { status, stdout, stderr } = spawnSync(at('source/deploy/upgrade.sh'), [tag], {
        encoding: 'utf8',
        env: {
          PATH: `${at('bin')}:${process.env.PATH}`,
          STORE_SETTINGS: at('etc/store.env'),
          ASSETS_DIR: at('assets'),
          ...env,
        },
      })
      const commands = existsSync(asked) ? readFileSync(asked, 'utf8').trim().split('\n') : []
      return { status, said: stdout + stderr, commands }
    },
    nameOf: (tag: string) => git('rev-parse', '--short=7', tag),
    current: () => readFileSync(at('current/dist/name'), 'utf8').trim(),
    read: (path: string) => readFileSync(at(path), 'utf8'),
  }
}

const checks = ['check console', 'check web-1', 'check worker']
const restarts = (tag: string) =>
  ['console', 'web-1', 'worker'].map((unit) => `restart ${unit} ${tag}`)

test('an upgrade builds, checks each process’s settings, publishes and restarts each process; so does a rollback', () => {
  const { upgrade, at, nameOf, current } = makeInstallation()
  for (const [given, tag] of [
    ['one', 'one'],
    ['two', 'two'],
    ['one', 'one'],
    ['current', 'one'],
  ] as const) {
    const { status, said, commands } = upgrade(given)
    expect(status, said).toBe(0)
    expect(commands).toEqual([...checks, ...restarts(tag)])
    expect(current()).toBe(tag)
    expect(readlinkSync(at('current'))).toBe(`releases/${nameOf(tag)}`)
  }
  expect(readdirSync(at('assets'))).toContainEqual(expect.stringMatching(/^7\.0\.0-/))
})

test('the previous release stays, also after a restart; the command deletes earlier ones', () => {
  const { upgrade, at, nameOf } = makeInstallation()
  for (const tag of ['one', 'two', 'three', 'three']) upgrade(tag)
  expect(readdirSync(at('releases')).toSorted()).toEqual(
    [nameOf('two'), nameOf('three')].toSorted(),
  )
})

test('if the check fails, the command restarts nothing, unless the operator skips the check', () => {
  const { upgrade, fail, current } = makeInstallation()
  upgrade('one')
  fail('check web-1')
  const refused = upgrade('two')
  expect(refused).toMatchObject({ status: 1, commands: checks.slice(0, 2) })
  expect(refused.said).toContain('No process was restarted.')
  expect(current()).toBe('one')
  expect(upgrade('two', { SKIP_CHECK: '1' })).toMatchObject({
    status: 0,
    commands: restarts('two'),
  })
})

test('if a process does not start, all processes return to the previous release', () => {
  const { upgrade, fail, current } = makeInstallation()
  upgrade('one')
  fail('restart web-1 two')
  const { status, said, commands } = upgrade('two')
  expect(status).toBe(1)
  expect(commands.slice(3)).toEqual([
    ...restarts('two').slice(0, 2),
    'restart web-1 one',
    'restart console one',
  ])
  expect(said).toContain("campus-enquiry@web-1.service doesn't start with")
  expect(current()).toBe('one')
})

test('a restart stops at the first process that does not start', () => {
  const { upgrade, fail } = makeInstallation()
  upgrade('one')
  fail('restart web-1 one')
  const { status, said, commands } = upgrade('one')
  expect([status, commands.slice(3)]).toEqual([1, restarts('one').slice(0, 2)])
  expect(said).toContain('The remaining processes were not restarted.')
})

test('a failed build or an unknown release changes nothing', () => {
  const { upgrade, fail, current } = makeInstallation()
  upgrade('one')
  expect(upgrade('nine')).toMatchObject({ status: 128, commands: [] })
  fail('build')
  expect(upgrade('two')).toMatchObject({ status: 1, commands: [] })
  fail()
  expect(current()).toBe('one')
  expect(upgrade('two').status).toBe(0)
})

test('every release uses the operator’s catalogue, texts and photographs, or the shipped one if the operator deletes it', () => {
  const { upgrade, write, at, read } = makeInstallation()
  upgrade('one')
  expect(read('current/content/site.yaml')).toBe('shipped')
  write('etc/programs.csv', 'my programs')
  write('etc/content/site.yaml', 'mine')
  write('etc/content/arts.yaml', 'my area')
  write('etc/site-pictures/business.jpg', 'my photograph')
  upgrade('two')
  expect(read('current/dist/words')).toBe('mine')
  expect(read('current/site-pictures/business.jpg')).toBe('my photograph')
  upgrade('one')
  write('etc/content/site.yaml', 'mine, edited')
  expect(read('current/content/site.yaml')).toBe('mine, edited')
  expect(read('current/content/arts.yaml')).toBe('my area')
  expect(read('current/catalogue/programs.csv')).toBe('my programs')
  rmSync(at('etc/content'), { recursive: true })
  rmSync(at('etc/programs.csv'))
  upgrade('one')
  expect(read('current/content/site.yaml')).toBe('shipped')
  expect(existsSync(at('current/content/arts.yaml'))).toBe(false)
  expect(read('current/catalogue/programs.csv')).toBe('shipped')
})
