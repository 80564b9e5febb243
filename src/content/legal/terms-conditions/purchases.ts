import type { Names } from '../../disclosure.ts'
import type { LegalSection } from '../legal-page.ts'
import { privacyEmailLink } from '../name-links.ts'

export const purchases = (names: Names): LegalSection => ({
  id: 'purchases',
  heading: 'Purchases',
  blocks: [
    ['The enquiry form sells nothing and asks for no card. If you do buy something from us:'],
    {
      list: [
        ['We accept Visa, MasterCard and Discover.'],
        [
          'By giving us a card you confirm that you may use it, and you authorize us to charge the price that you were shown.',
        ],
        ['We may charge the card within 30 days of your authorization.'],
        [
          'If a charge looks wrong, report the billing discrepancy to ',
          privacyEmailLink(names),
          ' within 60 days of the charge. After that we treat the charge as accepted.',
        ],
      ],
    },
  ],
})
