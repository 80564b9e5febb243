import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

test('every stylesheet of a page reaches its browser', () => {
  const folder = import.meta.dirname
  const pageStyles = readFileSync(join(folder, 'page-styles.ts'), 'utf8')
  const stylesheets = globSync('**/*.module.css', { cwd: folder })
  expect(stylesheets.length).toBeGreaterThan(5)
  expect(stylesheets.filter((path) => !pageStyles.includes(`'./${path}'`))).toEqual([])
})
