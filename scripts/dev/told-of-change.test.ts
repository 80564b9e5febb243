import { expect, test } from 'vitest'
import { toldOfChange } from './told-of-change.ts'

test.each([
  ['/src/server/console-pages/console-app.tsx', 'site and console'],
  ['/src/console/overview/overview-page.tsx', 'site and console'],
  ['/content/business.yaml', 'site and console'],
  ['/src/site/enquiry/about-you-fields.tsx', 'nobody'],
  ['/src/ui/base.css', 'nobody'],
  ['/src/ui/select-field.tsx', 'console'],
])('of %s is told: %s', (path, told) => {
  expect(toldOfChange(path)).toBe(told)
})
