import type { LegalNames, LegalSection } from '../legal-page.ts'

const inWords = ['none', 'one', 'two', 'three', 'four']

export const cookies = ({
  cookies: { tokens, affiliate, received },
}: LegalNames): LegalSection => ({
  id: 'cookies',
  heading: 'Cookies and similar technologies',
  blocks: [
    [
      `Cookies. This site sets at most ${inWords[tokens.length + 2]}. All are session cookies: your browser drops them when its session ends.`,
    ],
    {
      list: [
        [
          `${tokens.join(' and ')}: a token that lets our server tell requests that come from our own pages from forged requests.`,
        ],
        [
          `${affiliate}: which partner sent you. It is set only if a link that brought you here carried an affiliate id; a later link’s replaces it.`,
        ],
        [
          `${received}: your enquiry’s reference number, from when you send the form without JavaScript until its thank-you page comes, so that it is counted once.`,
        ],
      ],
    },
    [
      'Session storage. While you fill in the form, the tab’s session storage keeps your unfinished enquiry, so that a reload does not lose it. It is gone when the enquiry has been sent or the tab is closed. The tab then keeps its reference number alone, so that a reload shows that it was received.',
    ],
    [
      'Analytics and advertising. We use third-party analytics and advertising services in one place only: a measurement pixel on the thank-you screen, an image too small to see that tells the third party that an enquiry was completed. It can carry a reference number for your enquiry and the affiliate id. As with any image, the third party also sees your IP address and browser, and may set cookies of its own. Your name, email address, phone number and street address are not in it.',
    ],
    [
      'Global Privacy Control. If your browser sends this signal (Sec-GPC), we honor it: no pixel is loaded, the page tells you so below the form, and we note with your enquiry that your information is not to be sold. The enquiry that you send still goes to the school, as you asked.',
    ],
    [
      'You can block or delete cookies in your browser’s settings. The form works without them too.',
    ],
  ],
})
