import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { emptyAnswers } from '#domain/enquiry/answers.ts'
import { uncheckedAddress } from '#domain/enquiry/enquiry.ts'
import { ProgramFields } from './program-fields.tsx'

test('a list without programs says so', () => {
  const form = {
    area: 'business',
    programs: [],
    currentYear: 2026,
    disclosure: '',
    promise: { html: '' },
  } as const
  const names = { title: '', school: '', operator: '' }
  const html = renderToStaticMarkup(
    <ProgramFields
      answers={emptyAnswers}
      errors={{}}
      addressCheck={uncheckedAddress}
      question={undefined}
      form={{ ...form, ...names }}
    />,
  )
  expect(html).toContain('No program to choose from right now')
  expect(html).toContain('Choose a start date')
})
