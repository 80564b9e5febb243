import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, test } from 'vitest'
import { areas } from '#domain/area.ts'
import { drawings, HeroPicture } from './hero.tsx'

describe.each(areas)('the drawing of %s', (area) => {
  const html = renderToStaticMarkup(
    <HeroPicture area={area} alt="What it shows" photograph={undefined} />,
  )

  test('is one image with its text alternative', () => {
    expect(html.match(/<svg/g)).toHaveLength(1)
    expect(html).toContain('role="img" aria-label="What it shows"')
    expect(html).toContain(drawings[area])
  })

  test('uses the area’s colors, and is small', () => {
    expect(drawings[area]).toContain('var(--s-top)')
    // A plain color would not follow the dark scheme.
    expect(drawings[area]).not.toMatch(/#[\da-f]{3}|<(filter|text|style|image)/)
    expect(drawings[area]).not.toMatch(/<!--|\n/)
    expect(drawings[area].length).toBeLessThan(2900)
  })
})

describe('a photograph', () => {
  const html = renderToStaticMarkup(
    <HeroPicture
      area="business"
      alt="What it shows"
      photograph={{
        width: 1600,
        height: 900,
        avif: '/pictures/a-480.avif 480w,/pictures/a-1600.avif 1600w',
        webp: '/pictures/a-480.webp 480w,/pictures/a-1600.webp 1600w',
      }}
    />,
  )

  const sources = html.match(/<source[^>]*>/g) ?? []

  test('replaces the drawing, and loads at once', () => {
    expect(html).not.toContain('<svg')
    expect(html).toMatch(/<img [^>]*alt="What it shows" width="1600" height="900" decoding="async"/)
    expect(html).not.toContain('loading=')
  })

  test('is offered as AVIF before WebP, in the window’s width', () => {
    const columns = sources.filter((source) => source.includes('media="(min-width:31.25em)"'))
    expect(columns.map((source) => /type="([^"]*)"/.exec(source)?.[1])).toEqual([
      'image/avif',
      'image/webp',
    ])
    for (const source of columns) expect(source).toContain('-1600.')
  })

  test('has its smallest version on phones', () => {
    const band = sources.filter((source) => !source.includes('media='))
    expect(band).toEqual(['<source type="image/avif" srcSet="/pictures/a-480.avif"/>'])
    expect(html).toContain('<img src="/pictures/a-480.webp"')
  })
})
