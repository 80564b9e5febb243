import type { ReactNode } from 'react'
import type { Names } from '#content/disclosure.ts'
import type { SiteWords } from '#content/site-words.ts'
import type { Area } from '#domain/area.ts'
import { stylesOf } from './area-styles.ts'
import { Footer } from './footer.tsx'
import { IconLinks } from './head/icon-links.tsx'
import { SharingTags } from './head/sharing-tags.tsx'
import { ThemeColorTags } from './head/theme-color-tags.tsx'
import { Header } from './header.tsx'
import type { PageAssets } from './page-assets.ts'

export interface PageContext {
  readonly assets: PageAssets
  readonly names: Names
  /** The operator's, with the names in them. */
  readonly words: SiteWords
  /** The public origin, without a slash at its end. */
  readonly siteOrigin: string
}

export const documentTitle = (title: string, { names }: PageContext): string =>
  `${title} | ${names.school}`

interface DocumentProps {
  context: PageContext
  /** Whole: see {@link documentTitle}. */
  title: string
  description: string
  /** The page's canonical path; absent on pages that should not be found. */
  path?: string
  area: Area
  /** Only a page with the form brings a script. */
  hasForm?: boolean
  children: ReactNode
}

/** The shell around the one routed area: header, main, footer (reading 22). */
export function Document(props: DocumentProps) {
  const { context, title, description, path, area, hasForm = false, children } = props
  const { assets, names, words, siteOrigin } = context
  const { pictures } = assets
  const styles = stylesOf(context)
  return (
    <html lang="en-US">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{title}</title>
        <meta name="description" content={description} />
        {path === undefined ? (
          <meta name="robots" content="noindex" />
        ) : (
          <>
            <link rel="canonical" href={`${siteOrigin}${path}`} />
            <SharingTags
              title={title}
              description={description}
              url={`${siteOrigin}${path}`}
              school={names.school}
              words={words.areas[area]}
              image={pictures && `${siteOrigin}${pictures.socialImages[area]}`}
            />
          </>
        )}
        <meta name="color-scheme" content="light dark" />
        <ThemeColorTags stage={hasForm ? words.areas[area].colors.stage : undefined} />
        {pictures ? <IconLinks /> : <link rel="icon" href="data:," />}
        {assets.displayFont !== undefined && (
          <link
            rel="preload"
            as="font"
            type="font/woff2"
            href={assets.displayFont}
            crossOrigin=""
          />
        )}
        {/* In the page itself: a stylesheet's round trip would hold up the first paint. */}
        <style>{styles}</style>
        {assets.developmentScripts.map((src) => (
          <script key={src} type="module" src={src} />
        ))}
        {hasForm && assets.bootstrapScript !== '' && (
          <link rel="modulepreload" href={assets.formScript} fetchPriority="low" />
        )}
      </head>
      <body data-area={area} data-stage={hasForm ? '' : undefined}>
        <Header school={names.school} logo={words.shared.logo} path={path} />
        <main id="main">{children}</main>
        <Footer names={names} words={words} path={path} />
        {hasForm && assets.bootstrapScript !== '' && (
          // biome-ignore lint/security/noDangerouslySetInnerHtml: our own script, let in by its hash
          <script dangerouslySetInnerHTML={{ __html: assets.bootstrapScript }} />
        )}
      </body>
    </html>
  )
}
