/** Links to the three pages, by their titles (section 2). */
export const pageLinks = {
  privacyPolicy: { text: 'Privacy Policy', href: '/information/privacy-policy' },
  termsConditions: { text: 'Terms & Conditions', href: '/information/terms-conditions' },
  privacyRightsRequest: {
    text: 'Privacy Rights Request',
    href: '/information/privacy-rights-request',
  },
} as const
