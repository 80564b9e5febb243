import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { emptyEnquiry } from '#domain/enquiry/enquiry.ts'
import { exampleForm } from '#tests/enquiry/example-form.ts'
import { EnquiryApp } from './enquiry-app.tsx'
import { lazyFormParts } from './lazy-form-parts.ts'

test('a list without programs says so', () => {
  const posted = { enquiry: { ...emptyEnquiry, step: 3 }, errors: {} } as const
  const html = renderToStaticMarkup(
    <EnquiryApp {...exampleForm} programs={[]} posted={posted} lazyParts={lazyFormParts} />,
  )
  expect(html).toContain('No program to choose from right now')
  expect(html).toContain('Choose a start date')
})
