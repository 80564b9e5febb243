import { expect, test } from 'vitest'
import { legalPaths } from '#content/site-texts.ts'
import { type Area, areaPath, areas } from '#domain/area.ts'
import { sampleTexts } from '#tests/content/sample-texts.ts'
import { LandingPage } from '../landing/landing-page.tsx'
import { LegalPage, NotFoundPage } from '../legal/legal-page.tsx'
import { type PageContext, renderHtml } from './document.tsx'

const school = 'Zoë’s "A&B" </script> University'
const siteOrigin = 'https://enquiry.example.edu'
const names = {
  school,
  operator: 'Operator',
  privacyEmail: 'privacy@example.edu',
  unsubscribeUrl: 'https://example.edu/stop',
}
const texts = sampleTexts(names)
const socialImages = Object.fromEntries(
  areas.map((area) => [area, `/social/${area}-12345678.png`]),
) as Record<Area, string>
const assets = {
  styles: '',
  bootstrapScript: '/assets/bootstrap.js',
  formScript: '/assets/form.js',
  developmentScripts: [],
}
const context: PageContext = {
  assets: { ...assets, pictures: { socialImages, photographs: {} } },
  names,
  texts,
  siteOrigin,
}

const landingPage = (area: Area, inContext = context) =>
  renderHtml(
    <LandingPage
      context={inContext}
      form={{
        area,
        programs: [],
        currentYear: 2026,
        title: `${texts.areas[area].title} | ${school}`,
        school,
        operator: names.operator,
        disclosure: { html: 'I agree.', id: '' },
        promise: { html: '' },
      }}
      attribution=""
      notToSell={false}
      catalogue={[]}
    />,
  )

const plain = (text = '') =>
  text
    .replaceAll('&quot;', '"')
    .replaceAll('&#x27;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')

/** Returns the attributes of each element with the given name. */
const elements = (html: string, name: string) =>
  [...html.matchAll(new RegExp(`<${name}\\s([^>]*?)/?>`, 'g'))].map(([, attributes = '']) =>
    Object.fromEntries(
      [...attributes.matchAll(/([\w:-]+)="([^"]*)"/g)].map(([, key, value]) => [key, plain(value)]),
    ),
  )

/** Returns the meta values by name; a duplicate name fails the test. */
function metaOf(html: string): Record<string, string> {
  const found: Record<string, string> = {}
  for (const { property, name, media, content } of elements(html, 'meta')) {
    const key = property ?? (media ? `${name} ${media}` : name)
    if (key === undefined) continue
    expect(found, key).not.toHaveProperty([key])
    found[key] = content ?? ''
  }
  return found
}

const canonicalOf = (html: string) =>
  elements(html, 'link').find(({ rel }) => rel === 'canonical')?.href

test.each(areas)('a shared link to %s shows title, description and image', (area) => {
  const html = landingPage(area)
  const url = `${siteOrigin}/${area === 'general' ? '' : area}`
  const title = `${texts.areas[area].title} | ${school}`
  expect(plain(/<title>(.*?)<\/title>/.exec(html)?.[1])).toBe(title)
  expect(canonicalOf(html)).toBe(url)
  expect(metaOf(html)).toMatchObject({
    description: texts.areas[area].lead,
    'og:type': 'website',
    'og:site_name': school,
    'og:title': title,
    'og:description': texts.areas[area].lead,
    'og:url': url,
    'og:image': `${siteOrigin}/social/${area}-12345678.png`,
    'og:image:type': 'image/png',
    'og:image:width': '1200',
    'og:image:height': '630',
    'og:image:alt': `${texts.areas[area].headline}. ${texts.areas[area].picture}`,
    'twitter:card': 'summary_large_image',
  })
})

test.each([
  [school, 'named'],
  ['A name from before', 'general-12345678'],
])('of images built for %s, a shared link shows %s', (builtFor, name) => {
  const named = {
    school: builtFor,
    socialImages: { ...socialImages, general: '/social/named.png' },
  }
  const html = landingPage('general', {
    ...context,
    assets: { ...assets, pictures: { socialImages, named, photographs: {} } },
  })
  expect(metaOf(html)['og:image']).toBe(`${siteOrigin}/social/${name}.png`)
})

test('a legal page is shared under its own title with the general image', () => {
  const page = texts.legal['/information/terms-conditions']
  const html = renderHtml(<LegalPage context={context} path="/information/terms-conditions" />)
  expect(canonicalOf(html)).toBe(`${siteOrigin}/information/terms-conditions`)
  expect(metaOf(html)).toMatchObject({
    'og:title': `${page.title} | ${school}`,
    'og:description': page.description,
    'og:url': `${siteOrigin}/information/terms-conditions`,
    'og:image': `${siteOrigin}/social/general-12345678.png`,
  })
})

test('the not-found page has no tags for sharing', () => {
  const meta = metaOf(renderHtml(<NotFoundPage context={context} />))
  expect(meta.robots).toBe('noindex')
  expect(Object.keys(meta).filter((key) => /^(og|twitter):/.test(key))).toEqual([])
})

interface NamedPage {
  path: string
  /** The link's text in the header or footer of the page itself. */
  name: string
  html: string
}

const namedPages: readonly NamedPage[] = [
  ...areas.map((area) => ({
    path: areaPath(area),
    name: area === 'general' ? school : texts.areas[area].name,
    html: landingPage(area),
  })),
  ...legalPaths.map((path) => {
    return {
      path,
      name: texts.legal[path].title,
      html: renderHtml(<LegalPage context={context} path={path} />),
    }
  }),
]

test.each(namedPages)(
  '$path leads to other pages, and only names itself',
  ({ path, name, html }) => {
    const links = elements(html, 'a').map(({ href }) => href)
    expect(links).not.toContain(path)
    const others = [...areas.map(areaPath), ...legalPaths].filter((other) => other !== path)
    expect(links).toEqual(expect.arrayContaining(others))
    const named = [...html.matchAll(/<span[^>]*aria-current="page"[^>]*>(.*?)<\/span>/gs)]
    const texts = named.map(([, content = '']) => plain(content.replace(/<svg.*?<\/svg>/s, '')))
    expect(texts).toEqual([name])
  },
)

test('a page links to the icons', () => {
  const html = landingPage('business')
  const links = elements(html, 'link').map(({ rel, href }) => `${rel} ${href}`)
  for (const link of [
    'icon /favicon.ico',
    'icon /icons/favicon.svg',
    'apple-touch-icon /icons/apple-touch-icon.png',
  ]) {
    expect(links).toContain(link)
  }
})

test('a page of the development server links to no built picture', () => {
  const html = landingPage('general', { ...context, assets })
  expect(html).not.toMatch(/\/(icons|social|pictures)\/|favicon/)
  expect(metaOf(html)['og:title']).toContain(texts.areas.general.title)
})
