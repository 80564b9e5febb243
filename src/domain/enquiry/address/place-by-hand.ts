import type { Answers } from '../answers.ts'
import type { Enquiry } from '../enquiry.ts'
import type { ZipPlace } from './address-check.ts'
import type { AddressCheckState } from './address-check-state.ts'
import { addressKey } from './settled-address.ts'

/** The visitor enters city and state. */
export const askForPlace = (enquiry: Enquiry): Enquiry => ({
  ...enquiry,
  addressCheck: {
    ...enquiry.addressCheck,
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
  const { answers, addressCheck } = enquiry
  const asked = askForPlace(enquiry)
  const { city = '', state = '' } = place ?? {}
  const isTyped =
    addressCheck.by === 'hand' &&
    (place === undefined ? addressCheck.zipState === '' : isZipAsIt(enquiry))
  return {
    ...asked,
    answers: isTyped ? answers : { ...answers, city, state },
    addressCheck: { ...asked.addressCheck, zipState: state },
  }
}

const isZipAsIt = ({ answers, addressCheck }: Enquiry): boolean =>
  addressCheck.checkedFor.endsWith(addressKey({ address: '', zip: answers.zip })) &&
  (answers.city !== '' || answers.state !== '')

/** Whether the state entered is one that the ZIP is not in, and the visitor does not know so yet. */
export const isStateDoubted = ({ state }: Answers, addressCheck: AddressCheckState): boolean =>
  addressCheck.by === 'hand' &&
  ![addressCheck.zipState || state, addressCheck.toldState].includes(state)
