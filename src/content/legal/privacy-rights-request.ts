import type { WriteLegalPage } from './legal-page.ts'
import { privacyEmailLink } from './name-links.ts'
import { pageLinks } from './page-links.ts'
import { requestRules } from './request-rules.ts'

/** Section 2, Privacy Rights Request. */
export const privacyRightsRequest: WriteLegalPage = (names) => ({
  title: pageLinks.privacyRightsRequest.text,
  description: `How to ask ${names.operator} to delete your personal information, to hand it over or to tell you what it holds.`,
  introduction: [
    [
      `You can ask ${names.operator} what personal information we hold about you, ask for it in a form that you can take elsewhere, or ask us to delete it. One email is enough.`,
    ],
  ],
  sections: [
    {
      id: 'how-to-ask',
      heading: 'How to ask',
      blocks: [
        ['Write to ', privacyEmailLink(names), ' and say which of these you want:'],
        {
          list: [
            ['Deletion: we erase your personal information.'],
            ['Portability: we send you your information in a form that you can take elsewhere.'],
            [
              'Disclosure: we tell you what we have collected about you, why, and who has received it.',
            ],
          ],
        },
        [
          'Tell us the name and the email address that you gave on this site, and the reference number from the thank-you page if you have it, so that we can find your enquiry. To opt out of the sale of your information, write to the same address.',
        ],
      ],
    },
    {
      id: 'good-to-know',
      heading: 'Good to know',
      blocks: [requestRules],
    },
    {
      id: 'more-about-your-rights',
      heading: 'More about your rights',
      blocks: [
        [
          'What we collect, why, who receives it, and the limits of these rights are set out in our ',
          pageLinks.privacyPolicy,
          '.',
        ],
      ],
    },
  ],
})
