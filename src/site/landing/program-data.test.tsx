import { expect, test } from 'vitest'
import { sampleNames, sampleTexts } from '#tests/content/sample-texts.ts'
import { renderHtml } from '../shell/document.tsx'
import { ProgramData } from './program-data.tsx'

test('a page’s programs are data that cannot end their own element', () => {
  const html = renderHtml(
    <ProgramData
      context={{
        assets: { styles: '', bootstrapScript: '', formScript: '', developmentScripts: [] },
        names: { ...sampleNames, school: 'A</script><b>&' },
        texts: sampleTexts(),
        siteOrigin: 'https://enquiry.example.edu',
      }}
      area="business"
      programs={[
        { id: 7, name: 'M.B.A.', active: true, types: ['Business'], degreeType: 'Masters' },
      ]}
    />,
  )
  const [, json = ''] = /<script type="application\/ld\+json">([^<]*)<\/script>$/.exec(html) ?? []
  expect(JSON.parse(json)).toEqual({
    '@context': 'https://schema.org',
    '@graph': [
      {
        '@type': 'CollegeOrUniversity',
        '@id': 'https://enquiry.example.edu/#school',
        name: 'A</script><b>&',
        telephone: '(800) 555-0142',
      },
      {
        '@type': 'EducationalOccupationalProgram',
        name: 'M.B.A.',
        url: 'https://enquiry.example.edu/business?program=7',
        educationalCredentialAwarded: 'Master’s degree',
        educationalProgramMode: 'online',
        provider: { '@id': 'https://enquiry.example.edu/#school' },
      },
    ],
  })
})
