import { globSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { parse, type Token, tokTypes } from 'acorn'
import { describe, expect, test } from 'vitest'
import { bootstrapScript, startVisitScript } from '#site/enquiry/bootstrap-script.ts'
import { builtFile } from './built-file.ts'

/**
 * Checks the built files against the oldest browsers of `browserslist` in package.json: those of Baseline 2022. Biome's
 * rule `useBaseline` checks the properties, functions and selectors of stylesheets, and `lib` in the tsconfig.json
 * files our own calls of JavaScript's library.
 */
const filesOf = (ending: string) =>
  globSync(`{client,console}/assets/*.${ending}`, { cwd: builtFile('') }).map((path) => ({
    name: basename(path).replace(/-[\w-]{8}\./, '.'),
    text: readFileSync(builtFile(path), 'utf8'),
  }))

const scripts = [
  ...filesOf('js'),
  { name: 'bootstrap script', text: bootstrapScript },
  { name: 'script that starts a visit', text: startVisitScript },
]

/** Methods of ES2023 and later, and calls of the browser that Baseline 2022 lacks, also in libraries. */
const newerNames =
  /\b(toSorted|toReversed|toSpliced|withResolvers|groupBy|fromAsync|isWellFormed|toWellFormed|(?:to|from)(?:Base64|Hex)|canParse|isSubsetOf|symmetricDifference|AbortSignal\.any|Promise\.try|RegExp\.escape|setHTMLUnsafe)\b/g

/** The build writes a pattern that is too new for the oldest browsers as such a call, which fails when it runs. */
const madePattern = /RegExp\((`[^`]*`|"[^"]*"|'[^']*')(?:,[`"'](\w*)[`"'])?/g

describe.each(scripts)('old browsers can run $name', ({ text }) => {
  test('its syntax is of ES2022, without lookbehind', () => {
    const patterns: string[] = []
    const onToken = (token: Token) => {
      if (token.type === tokTypes.regexp) patterns.push(text.slice(token.start, token.end))
    }
    parse(text, { ecmaVersion: 2022, sourceType: 'module', onToken })
    for (const [, pattern = '', flags = ''] of text.matchAll(madePattern)) {
      patterns.push(pattern)
      expect(flags, pattern).not.toContain('v')
    }
    expect(patterns.filter((pattern) => /\(\?<[=!]/.test(pattern))).toEqual([])
  })

  test('it calls nothing newer than 2022', () => {
    expect(text.match(newerNames) ?? []).toEqual([])
  })
})

const knownUnits = new Set(
  'px rem em ch vi vb vw vh vmin vmax svh lvh dvh fr s ms deg turn pt in'.split(' '),
)

test.each(filesOf('css'))('old browsers know every unit of $name', ({ text }) => {
  const units = [...text.matchAll(/(?<![\w#.-])-?\.?\d[\d.]*([a-z]+)/g)].map(
    ([, unit]) => unit ?? '',
  )
  expect(units.length).toBeGreaterThan(100)
  expect(units.filter((unit) => !knownUnits.has(unit))).toEqual([])
})
