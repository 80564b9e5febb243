import { spawnSync } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { secretFileVariables } from '#server/config/read-settings.ts'
import { changelog, documents, projectFolder } from './documents.ts'
import { inlineCode } from './inline-code.ts'
import { readSources } from './read-sources.ts'
import { shellBlocks } from './shell-blocks.ts'
import { unknownIn } from './unknown-in.ts'

const all = [...documents, ...changelog]
const sources = readSources()
/** Matches a log line or a command's output: three words or more and nothing else. */
const message = /^[a-z’]+[,:]?( [\w’…]+[,:]?){2,}$/
const isLogged = (words: string): boolean =>
  message.test(words) && words.split('…').every((part) => sources.includes(part.trim()))

/** The anchors that GitHub makes from headings. */
const anchorsOf = (text: string): readonly string[] =>
  [...text.matchAll(/^##* (.+)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}_ -]/gu, '')
      .replaceAll(' ', '-'),
  )

test('ARCHITECTURE.md has every folder of src and of the server', () => {
  const map =
    documents.find(({ path }) => path === 'ARCHITECTURE.md')?.text.split('```text')[1] ?? ''
  const lines = map.split('```')[0]?.split('\n') ?? []
  const isShown = (folder: string): boolean => {
    const indented = `${'  '.repeat(folder.split('/').length - 1)}${basename(folder)}/`
    return lines.some((line) => line.startsWith(indented))
  }
  const folders = globSync(['src/*/', 'src/server/*/'], { cwd: projectFolder })
  expect(folders.length).toBeGreaterThan(15)
  expect(folders.filter((folder) => !isShown(folder.replace(/\/$/, '')))).toEqual([])
})

describe('every page and section that a document links to exists', () => {
  test.each(all)('$path', ({ path, text }) => {
    const links = [...text.replaceAll(/`[^`\n]*`/g, '``').matchAll(/\]\(([^)\s]+)\)/g)]
      .map(([, link = '']) => link)
      .filter((link) => !/^https?:/.test(link))
    const isThere = (link: string): boolean => {
      const [file = '', anchor] = link.split('#')
      const target = file === '' ? path : join(dirname(path), file)
      if (!existsSync(join(projectFolder, target))) return false
      return (
        anchor === undefined ||
        anchorsOf(readFileSync(join(projectFolder, target), 'utf8')).includes(anchor)
      )
    }
    expect(links.filter((link) => !isThere(link))).toEqual([])
  })
})

const names = globSync('{bench,catalogue,content,deploy,docs,scripts,src,tests}/**/*.*', {
  cwd: projectFolder,
  exclude: ['**/node_modules/**'],
})

const topFolders = /^(bench|catalogue|content|deploy|docs|scripts|site-pictures|src|tests)\//

describe('every file that a document names exists', () => {
  const isThere = (name: string): boolean =>
    topFolders.test(name)
      ? globSync(name, { cwd: projectFolder }).length > 0
      : names.some((one) => one.endsWith(`/${name}`))
  /** Whether a reader creates the file by following the documents. */
  const isMade = (name: string): boolean =>
    ['deploy/production.env', 'deploy/secrets/', 'content/arts.yaml'].some((made) =>
      name.startsWith(made),
    )

  test.each(documents)('$path', ({ text }) => {
    const named = inlineCode(text).filter(
      (code) =>
        /^[\w@{},*./-]+$/.test(code) &&
        (topFolders.test(code) || /[a-z-]+\.(tsx?|mjs)$/.test(code)),
    )
    expect(named.filter((name) => !isMade(name) && !isThere(name))).toEqual([])
  })
})

test('every test that docs/security.md names exists', () => {
  const { text = '' } = documents.find(({ path }) => path === 'docs/security.md') ?? {}
  const heldBy = [...text.matchAll(/^\|[^|]*\|[^|]*\|([^|]*)\|$/gm)].flatMap(([, cell = '']) =>
    inlineCode(cell),
  )
  const isThere = (name: string): boolean =>
    names.some(
      (path) =>
        path.startsWith(name) ||
        /\/([\w-]+)(\.integration)?\.(test|fault)\./.exec(path)?.[1] === name,
    )
  expect(heldBy.length).toBeGreaterThan(20)
  expect(heldBy.filter((name) => !isThere(name))).toEqual([])
})

describe('commands', () => {
  test.each([...documents, ...changelog])(
    '$path names the language of each code block',
    ({ text }) => {
      const fences = text.match(/^ *```.*$/gm) ?? []
      const languages = fences
        .filter((_, index) => index % 2 === 0)
        .map((fence) => fence.trim().slice(3))
      const known = ['sh', 'text', 'json', 'ini', 'http', 'yaml']
      expect(languages.filter((language) => !known.includes(language))).toEqual([])
    },
  )

  test.each(shellBlocks)('$place is valid shell', ({ commands }) => {
    const filledIn = commands.replaceAll(/<[a-z][^>\n]*>/g, 'it')
    const { stderr } = spawnSync('bash', ['-n'], { input: filledIn, encoding: 'utf8' })
    expect(stderr).toBe('')
  })

  test.each(shellBlocks.filter(({ notRun }) => notRun !== undefined))(
    '$place is not run, and the test named instead exists',
    ({ notRun = '' }) => {
      const tests = notRun.match(/[\w./-]+\.ts\b/g) ?? []
      expect(tests.filter((name) => !existsSync(join(projectFolder, name)))).toEqual([])
    },
  )

  test.each(documents)('$path names commands, options and scripts that exist', ({ path, text }) => {
    const typed = [
      ...shellBlocks
        .filter(({ place }) => place.startsWith(`${path}:`))
        .flatMap(({ commands }) => commands.split('\n').map((line) => line.replace(/ #.*/, ''))),
      ...inlineCode(text).filter((code) => !isLogged(code)),
    ]
    expect(typed.flatMap(unknownIn)).toEqual([])
  })
})

describe('the product has the names that a reader would search for', () => {
  const upperCase = /^[A-Z][A-Z0-9]*(_[A-Z0-9]+)+(?==|$)/

  test('log messages in the runbook', () => {
    const { text = '' } = documents.find(({ path }) => path === 'docs/runbook.md') ?? {}
    const quoted = inlineCode(text).filter(
      (code) => message.test(code) && !/^(npm|sudo|docker|leads [a-z]+ [<-])/.test(code),
    )
    expect(quoted.length).toBeGreaterThan(10)
    expect(quoted.filter((code) => !isLogged(code))).toEqual([])
  })

  test.each(documents)('settings and codes of $path', ({ text }) => {
    const named = inlineCode(text).flatMap((code) => upperCase.exec(code)?.[0] ?? [])
    const known = (name: string): boolean =>
      new RegExp(`\\b${name}\\b`).test(sources) || secretFileVariables.includes(name)
    expect(named.filter((name) => !known(name))).toEqual([])
  })
})
