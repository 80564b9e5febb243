import type { Answers } from '../answers.ts'
import type { Enquiry } from '../enquiry.ts'
import type { ZipPlace } from './address-check.ts'
import type { AddressStanding } from './address-standing.ts'
import { addressKey } from './settled-address.ts'

/** The visitor enters city and state. */
export const askForPlace = (enquiry: Enquiry): Enquiry => ({
  ...enquiry,
  standing: {
    ...enquiry.standing,
    checkedFor: addressKey(enquiry.answers),
    by: 'hand',
    zipPlus4: '',
    zipState: '',
    toldState: '',
  },
})

/**
 * The visitor enters city and state, or confirms what is known of them: the ZIP's place, where the street alone could not
 * be checked. What was known of another ZIP goes.
 */
export function askForPlaceOf(enquiry: Enquiry, place: ZipPlace | undefined): Enquiry {
  const { answers, standing } = enquiry
  const asked = askForPlace(enquiry)
  const { city = '', state = '' } = place ?? {}
  const isTyped =
    standing.by === 'hand' && (place === undefined ? standing.zipState === '' : isZipAsIt(enquiry))
  return {
    ...asked,
    answers: isTyped ? answers : { ...answers, city, state },
    standing: { ...asked.standing, zipState: state },
  }
}

const isZipAsIt = ({ answers, standing }: Enquiry): boolean =>
  standing.checkedFor.endsWith(addressKey({ address: '', zip: answers.zip })) &&
  (answers.city !== '' || answers.state !== '')

/** Whether the state entered is one that the ZIP is not in, and the visitor does not know so yet. */
export const isStateDoubted = ({ state }: Answers, standing: AddressStanding): boolean =>
  standing.by === 'hand' && ![standing.zipState || state, standing.toldState].includes(state)
