import { createHash } from 'node:crypto'
import { secureHeaders } from 'hono/secure-headers'

interface HeaderSettings {
  /** The content of the pages' only style element. */
  readonly styles: string
  /** The content of the pages' only inline script. */
  readonly script: string
  /** The origins of the pixels on thank-you pages. */
  readonly imageOrigins: readonly string[]
  readonly isSecure: boolean
}

/** Allows our own scripts and styles, and the pixels that the operator has configured. */
export function setSecurityHeaders({ styles, script, imageOrigins, isSecure }: HeaderSettings) {
  return secureHeaders({
    contentSecurityPolicy: {
      defaultSrc: ["'none'"],
      scriptSrc: ["'self'", hashSource(script)],
      styleSrc: ["'self'", hashSource(styles)],
      fontSrc: ["'self'"],
      imgSrc: ["'self'", 'data:', ...imageOrigins],
      connectSrc: ["'self'"],
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

const hashSource = (text: string): string =>
  `'sha256-${createHash('sha256').update(text).digest('base64')}'`
