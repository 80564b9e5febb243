import { expect, test } from 'vitest'
import { asSent } from '#tests/enquiry/as-sent.ts'
import { validateAddressOffline } from './validate-address-offline.ts'

test.each([
  ['123 Main St #4', '34236', 'FL'],
  ['123½ Elm St', '34236', 'FL'],
  ['123 1/2 Elm St', '34236', 'FL'],
  ['12-34 30th Ave Apt 5/6', '11101', 'NY'],
  ["100 O'Farrell St", '94102', 'CA'],
  ['1600 Martin Luther King Jr. Blvd', '34236', 'FL'],
  ['842 E 1700 S', '84105', 'UT'],
  ['N6W23001 Bluemound Rd', '53188', 'WI'],
  ['P.O. Box 12', '34230', 'FL'],
  ['PO BOX 7-A', '34230', 'FL'],
  ['RR 2 Box 14', '59001', 'MT'],
  ['PSC 3 Box 4120', '09021', 'AE'],
  ['CMR 415 Box 123', '09114', 'AE'],
  ['Unit 2050 Box 4190', '96278', 'AP'],
  ['USS Nimitz (CVN-68)', '96620', 'AP'],
  ['Unit 7400 Box 1', '34024', 'AA'],
  ['Urb Las Gladiolas 150 Calle A', '00926', 'PR'],
  ['Carr 102 Km 14.2', '00623', 'PR'],
  ['9100 Kronprindsens Gade', '00802', 'VI'],
  ['118 W Marine Corps Dr', '96910', 'GU'],
  ['PO Box 1234', '96799', 'AS'],
  ['1 Beach Rd', '96950', 'MP'],
  ['PO Box 1', '96941', 'FM'],
  ['PO Box 1', '96960', 'MH'],
  ['PO Box 1', '96940', 'PW'],
  ['75-5660 Palani Rd', '96740', 'HI'],
  ['15 Kalākaua Ave', '96815', 'HI'],
])('%s in %s is found offline, and sent with the state %s', async (street, zip, state) => {
  const found = await validateAddressOffline(street, zip)
  expect(found).toMatchObject({
    postalAddress: { addressLines: [street], administrativeArea: state },
  })
  expect(asSent({ address: street, zip, state }).lead_address).toMatchObject({
    address: street,
    state,
    zip,
  })
})

test('a street is sent with plain spaces', () => {
  expect(asSent({ address: '\t123\u00A0 Main\tSt ' }).lead_address.address).toBe('123 Main St')
})
