import { createHash } from 'node:crypto'
import { createMiddleware } from 'hono/factory'
import { secureHeaders } from 'hono/secure-headers'

interface ConsoleHeadersPorts {
  /** The one style element of the pages. */
  readonly styles: string
  readonly isSecure: boolean
}

/** Our own scripts from files, our own styles by their hash, and nothing else; framed by nobody, kept by nobody. */
export const consoleHeaders = ({ styles, isSecure }: ConsoleHeadersPorts) =>
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
    // The address of a page says what an operator looks at.
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

/** A page is of this moment and of this operator. Scripts say otherwise for themselves. */
export const keptByNobody = createMiddleware(async (c, next) => {
  await next()
  if (!c.res.headers.has('Cache-Control')) c.header('Cache-Control', 'no-store')
  c.header('X-Robots-Tag', 'noindex')
})
