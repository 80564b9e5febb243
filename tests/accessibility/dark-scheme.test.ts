import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { makeColorsCss } from '#site/shell/page-assets.ts'
import { shippedTexts } from '#tests/content/sample-texts.ts'
import { projectFolder } from '#tests/documents/documents.ts'

/** Matches each media query for the color scheme, with its rules. */
const question = /@media[^{]*prefers-color-scheme[^{]*\{((?:[^{}]*\{[^{}]*\})*)[^{}]*\}/g
/** Custom properties hold only colors and shadows, so a change of any of them counts as a color. */
const isColor = (property: string) => property.startsWith('--') || /(^|-)color$/.test(property)

test('the dark color scheme changes only colors, so it needs only the engines’ checks of colors', () => {
  const files = globSync('src/**/*.css', { cwd: projectFolder })
  const written = files.map((file) => readFileSync(`${projectFolder}/${file}`, 'utf8')).join('\n')
  const styles = written + makeColorsCss(shippedTexts())
  const blocks = [...styles.matchAll(question)].map(([, rules = '']) => rules)
  expect(blocks).toHaveLength(styles.split('prefers-color-scheme').length - 1)
  expect(blocks.length).toBeGreaterThan(3)
  const properties = blocks.flatMap((rules) =>
    [...rules.matchAll(/([\w-]+)\s*:/g)]
      .map(([, property = '']) => property)
      .filter((property) => property !== 'root'),
  )
  expect(properties.length).toBeGreaterThan(20)
  expect(properties.filter((property) => !isColor(property))).toEqual([])
})
