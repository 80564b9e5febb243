export const landingPages = ['/', '/business', '/education', '/healthcare', '/technology']

export const legalPages = [
  '/information/privacy-policy',
  '/information/terms-conditions',
  '/information/privacy-rights-request',
]
