import type { WriteLegalPage } from './legal-page.ts'
import { pageLinks } from './page-links.ts'
import { acceptableUse } from './terms-conditions/acceptable-use.ts'
import { arbitration } from './terms-conditions/arbitration.ts'
import { changesToTerms } from './terms-conditions/changes-to-terms.ts'
import { electronicSignature } from './terms-conditions/electronic-signature.ts'
import { eligibility } from './terms-conditions/eligibility.ts'
import { governingLaw } from './terms-conditions/governing-law.ts'
import { notices } from './terms-conditions/notices.ts'
import { purchases } from './terms-conditions/purchases.ts'
import { service } from './terms-conditions/service.ts'
import { termsContact } from './terms-conditions/terms-contact.ts'

/** Section 2, Terms & Conditions; the figures are the "Legal" constants of section 9. */
export const termsConditions: WriteLegalPage = (names) => ({
  title: pageLinks.termsConditions.text,
  description: `The rules for using this website, run by ${names.operator}: who may use it, purchases, electronic signature, disputes.`,
  lastUpdated: '2/21/2021',
  introduction: [
    [
      `These terms are an agreement between you and ${names.operator} (“we”, “us”), which runs this website. By using the site you accept them. If you do not, please leave the site.`,
    ],
    [
      'Please read ',
      { text: 'Arbitration and class action waiver', href: '#arbitration' },
      ' with care: it says that disputes go to an arbitrator and not to a judge or jury, and that you give up class actions.',
    ],
  ],
  sections: [
    eligibility,
    service(names),
    acceptableUse,
    purchases(names),
    electronicSignature(names),
    notices(names),
    arbitration(names),
    governingLaw,
    changesToTerms,
    termsContact(names),
  ],
})
