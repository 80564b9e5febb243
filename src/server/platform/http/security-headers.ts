import { createHash } from 'node:crypto'
import { secureHeaders } from 'hono/secure-headers'

interface HeaderSettings {
  /** The one style element of the pages. */
  readonly styles: string
  /** The one script that stands in a page. */
  readonly script: string
  /** Where the thank-you screens' pixels come from. */
  readonly imageOrigins: readonly string[]
  readonly isSecure: boolean
}

/** Allows our own scripts, our own styles, and the pixels that the operator has configured. */
export function securityHeaders({ styles, script, imageOrigins, isSecure }: HeaderSettings) {
  return secureHeaders({
    contentSecurityPolicy: {
      defaultSrc: ["'none'"],
      scriptSrc: ["'self'", sourceOf(script)],
      styleSrc: ["'self'", sourceOf(styles)],
      fontSrc: ["'self'"],
      imgSrc: ["'self'", 'data:', ...imageOrigins],
      connectSrc: ["'self'"],
      manifestSrc: ["'self'"],
      formAction: ["'self'"],
      baseUri: ["'none'"],
      frameAncestors: ["'none'"],
    },
    strictTransportSecurity: isSecure ? 'max-age=31536000; includeSubDomains' : false,
    xFrameOptions: 'DENY',
    referrerPolicy: 'strict-origin-when-cross-origin',
    crossOriginOpenerPolicy: 'same-origin',
    crossOriginResourcePolicy: 'same-origin',
    permissionsPolicy: { camera: [], microphone: [], geolocation: [], payment: [] },
  })
}

/** Lets in what stands in the page itself, and only that, by its hash. */
const sourceOf = (text: string): string =>
  `'sha256-${createHash('sha256').update(text).digest('base64')}'`
