import type { ReactElement, ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import type { Html, SiteNames, SiteTexts } from '#content/site-texts.ts'
import type { Area } from '#domain/area.ts'
import { Footer, Header } from './header-and-footer.tsx'
import {
  displayFontMedia,
  makePageStyles,
  type PageAssets,
  pickSocialImages,
  socialImageSize,
} from './page-assets.ts'

export interface PageContext {
  readonly assets: PageAssets
  readonly names: SiteNames
  readonly texts: SiteTexts
  /** The public origin, without a slash at its end. */
  readonly siteOrigin: string
}

export const renderHtml = (page: ReactElement): string =>
  `<!doctype html>${renderToStaticMarkup(page)}`

export const makeDocumentTitle = (title: string, { names }: PageContext): string =>
  `${title} | ${names.school}`

interface HtmlTextProps {
  html: Html
  as?: 'div' | 'p'
}

export const HtmlText = ({ html: { html }, as: Element = 'div' }: HtmlTextProps) => (
  // biome-ignore lint/security/noDangerouslySetInnerHtml: our texts are Markdown, in which HTML is refused
  <Element dangerouslySetInnerHTML={{ __html: html }} />
)

interface DocumentProps {
  context: PageContext
  /** The complete title: see {@link makeDocumentTitle}. */
  title: string
  description: string
  /** The page's canonical path; absent if search engines should not index the page. */
  path?: string
  area: Area
  /** True for pages with the form; other pages have no script. */
  hasForm?: boolean
  /** The styles that only this kind of page has. The policy must allow them: see site-app.ts. */
  ownStyles?: string
  children: ReactNode
}

/** The shell around each page: header, main part and footer (reading 22). */
export function Document(props: DocumentProps) {
  const { context, title, description, path, area, hasForm = false, ownStyles, children } = props
  const { assets, names, texts, siteOrigin } = context
  const { pictures } = assets
  const { headline, picture } = texts.areas[area]
  const preview = {
    type: 'website',
    site_name: names.school,
    title,
    description,
    url: `${siteOrigin}${path}`,
    ...(pictures && {
      image: siteOrigin + pickSocialImages(pictures, names.school)[area],
      'image:type': 'image/png',
      'image:width': String(socialImageSize.width),
      'image:height': String(socialImageSize.height),
      'image:alt': `${headline}. ${picture}`,
    }),
  }
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
            {/* Sites that show link previews read these tags: https://ogp.me */}
            {Object.entries(preview).map(([property, content]) => (
              <meta key={property} property={`og:${property}`} content={content} />
            ))}
            {pictures && <meta name="twitter:card" content="summary_large_image" />}
          </>
        )}
        <meta name="color-scheme" content="light dark" />
        {pictures ? (
          <>
            <link rel="icon" href="/favicon.ico" sizes="32x32" />
            <link rel="icon" href="/icons/favicon.svg" type="image/svg+xml" />
            <link rel="apple-touch-icon" href="/icons/apple-touch-icon.png" />
          </>
        ) : (
          <link rel="icon" href="data:," />
        )}
        {assets.displayFont !== undefined && (
          <link
            rel="preload"
            as="font"
            type="font/woff2"
            href={assets.displayFont}
            media={hasForm ? displayFontMedia : undefined}
            crossOrigin=""
          />
        )}
        {/* The page contains its styles, because loading a stylesheet would delay the first paint. */}
        <style>{makePageStyles(context)}</style>
        {ownStyles && <style>{ownStyles}</style>}
        {assets.developmentScripts.map((src) => (
          <script key={src} type="module" src={src} />
        ))}
        {hasForm && assets.bootstrapScript !== '' && (
          <link rel="modulepreload" href={assets.formScript} fetchPriority="low" />
        )}
      </head>
      <body data-area={area} data-stage={hasForm ? '' : undefined}>
        <Header
          school={names.school}
          logo={texts.shared.logo}
          telephone={texts.shared.telephone}
          path={path}
        />
        <main id="main">{children}</main>
        <Footer names={names} texts={texts} path={path} />
        {hasForm && assets.bootstrapScript !== '' && (
          // biome-ignore lint/security/noDangerouslySetInnerHtml: our own script, which the security policy allows by its hash
          <script dangerouslySetInnerHTML={{ __html: assets.bootstrapScript }} />
        )}
      </body>
    </html>
  )
}
