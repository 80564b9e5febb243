import { createHash } from 'node:crypto'
import { secureHeaders } from 'hono/secure-headers'

interface SecurityPorts {
  /** The one style element of the pages. */
  readonly styles: string
  /** Where the thank-you screens' pixels come from. */
  readonly imageOrigins: readonly string[]
  readonly isSecure: boolean
}

/** Nothing but our own scripts, our own styles, and the pixels that the operator has configured. */
export function securityHeaders({ styles, imageOrigins, isSecure }: SecurityPorts) {
  const styleHash = createHash('sha256').update(styles).digest('base64')
  return secureHeaders({
    contentSecurityPolicy: {
      defaultSrc: ["'none'"],
      scriptSrc: ["'self'"],
      styleSrc: ["'self'", `'sha256-${styleHash}'`],
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
