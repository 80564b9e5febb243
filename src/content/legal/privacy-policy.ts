import type { WriteLegalPage } from './legal-page.ts'
import { privacyEmailLink } from './name-links.ts'
import { pageLinks } from './page-links.ts'
import { californiaNotice } from './privacy-policy/california-notice.ts'
import { changesToPolicy } from './privacy-policy/changes-to-policy.ts'
import { cookies } from './privacy-policy/cookies.ts'
import { informationCollected } from './privacy-policy/information-collected.ts'
import { privacyContact } from './privacy-policy/privacy-contact.ts'
import { protection } from './privacy-policy/protection.ts'
import { sharing } from './privacy-policy/sharing.ts'
import { uses } from './privacy-policy/uses.ts'

/** Section 2, Privacy Policy: its sections in the specification's order. */
export const privacyPolicy: WriteLegalPage = (names) => ({
  title: pageLinks.privacyPolicy.text,
  description: `What ${names.operator} learns about you on this website, what we do with it, who receives it, and what you can ask of us.`,
  introduction: [
    [
      `${names.operator} (“we”, “us”) runs this website about the online programs of ${names.school}. This policy is for visitors, for customers, and for authorized agents who act for them.`,
    ],
    [
      `In short: if you send us an enquiry, it goes to ${names.school}, so that the school can contact you. To see what we hold, to have it deleted or to stop its sale, write to `,
      privacyEmailLink(names),
      '.',
    ],
    [
      'This site is for people who are 18 or older. If you are younger, please do not use the form.',
    ],
  ],
  sections: [
    informationCollected,
    uses(names),
    cookies(names),
    sharing(names),
    protection(names),
    californiaNotice(names),
    changesToPolicy,
    privacyContact(names),
  ],
})
