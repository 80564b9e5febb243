import { createHash } from 'node:crypto'
import { createMiddleware } from 'hono/factory'
import { secureHeaders } from 'hono/secure-headers'

interface ConsoleHeadersOptions {
  /** The styles of the page's only style element. */
  readonly styles: string
  readonly isSecure: boolean
}

/** Sets a content security policy that allows only the console's own scripts, and its styles by their hash. */
export const setConsoleHeaders = ({ styles, isSecure }: ConsoleHeadersOptions) =>
  secureHeaders({
    contentSecurityPolicy: {
      defaultSrc: ["'none'"],
      scriptSrc: ["'self'"],
      styleSrc: [`'sha256-${createHash('sha256').update(styles).digest('base64')}'`],
      imgSrc: ["'self'", 'data:'],
      connectSrc: ["'self'"],
      formAction: ["'self'"],
      baseUri: ["'none'"],
      frameAncestors: ["'none'"],
    },
    strictTransportSecurity: isSecure ? 'max-age=31536000' : false,
    xFrameOptions: 'DENY',
    // Other sites get no referrer, because a page's URL shows which lead an operator looks at.
    referrerPolicy: 'same-origin',
    crossOriginOpenerPolicy: 'same-origin',
    crossOriginResourcePolicy: 'same-origin',
    crossOriginEmbedderPolicy: 'require-corp',
    permissionsPolicy: {
      camera: [],
      microphone: [],
      geolocation: [],
      payment: [],
      publickeyCredentialsGet: ['self'],
    },
  })

/** Forbids caching of pages, because each is valid only now and for one operator. Scripts set their own header. */
export const forbidCaching = createMiddleware(async (c, next) => {
  await next()
  if (!c.res.headers.has('Cache-Control')) c.header('Cache-Control', 'no-store')
  c.header('X-Robots-Tag', 'noindex')
})
