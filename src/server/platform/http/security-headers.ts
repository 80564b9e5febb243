import { createHash } from 'node:crypto'
import { secureHeaders } from 'hono/secure-headers'

type Policy = NonNullable<Parameters<typeof secureHeaders>[0]>

/** Allows only our own scripts, images and forms. The site and the console add what their pages need. */
export const setSecurityHeaders = ({ contentSecurityPolicy, permissionsPolicy, ...own }: Policy) =>
  secureHeaders({
    contentSecurityPolicy: {
      defaultSrc: ["'none'"],
      scriptSrc: ["'self'"],
      imgSrc: ["'self'", 'data:'],
      connectSrc: ["'self'"],
      formAction: ["'self'"],
      baseUri: ["'none'"],
      frameAncestors: ["'none'"],
      ...contentSecurityPolicy,
    },
    xFrameOptions: 'DENY',
    crossOriginOpenerPolicy: 'same-origin',
    crossOriginResourcePolicy: 'same-origin',
    permissionsPolicy: {
      camera: [],
      microphone: [],
      geolocation: [],
      payment: [],
      ...permissionsPolicy,
    },
    ...own,
  })

/** Makes a policy source that allows one inline script or style element by its text. */
export const makeCspHashSource = (text: string): string =>
  `'sha256-${createHash('sha256').update(text).digest('base64')}'`
