/** Where the legal pages lie (section 2). Their titles and texts are the operator's. */
export const legalPaths = [
  '/information/privacy-policy',
  '/information/terms-conditions',
  '/information/privacy-rights-request',
] as const

export type LegalPath = (typeof legalPaths)[number]
