import { expect, test } from 'vitest'
import { hasStreetShape, holdsMoreThanStreet } from './street-rules.ts'

test.each([
  '123 Main St',
  ' 12B Baker Street Apt 4 ',
  '123 1/2 Elm',
  '123½ Elm St',
  '123-1/2 Elm St',
  '12-34 Queens Blvd',
  '112-10 Northern Blvd',
  'N6W23001 Bluemound Rd',
  'W180 N8000 Town Hall Rd',
  'S107W 28865 Maple Ave',
  '0N123 Gary Ave',
  '39W725 Main St',
  '123 5th Ave',
  '5 1st St',
  '842 E 1700 S',
  '1500 County Road 12',
  '4400 US Highway 1',
  '1 Avenue A',
  '7 Señal',
  'One Penn Plaza',
  'Two Microsoft Way',
  'PO Box 12',
  'P.O. Box 12',
  'p o box #7A',
  'POB 1234',
  'Post Office Box 99',
  'Box 440',
  'RR 2 Box 14',
  'R.R. 2, Box 14',
  'RFD 1 Box 33',
  'Rural Route 2 Box 14',
  'Route 3 Box 88',
  'HC 1 Box 2',
  'HC01 Box 2',
  'Star Route A Box 9',
  'PSC 802, Box 74',
  'PSC 3 BOX 4120',
  'CMR 415 Box 123',
  'Unit 2050 Box 4190',
  'USS Nimitz',
  'USCGC Hamilton',
  'Urb Las Gladiolas 150 Calle A',
  'Urb. Royal Oak, A12 Calle 3',
  '150 Calle A Urb Las Gladiolas',
  'Calle 5 #12',
  'Cond Ashford Palace Apt 1103',
  'Carr 102 Km 14.2',
  'HC 73 Box 4300',
  'Bo Higuillar Parcela 12',
])('%s could be a street', (street) => {
  expect(hasStreetShape(street)).toBe(true)
})

test.each([
  '',
  'Main Street',
  '123',
  '123 ',
  '5th Avenue',
  '12 B',
  '12 34',
  'PO Box',
  'Box',
  'RR 2',
  'HC 1',
  'PSC 802',
  'Unit 4',
  'Calle Luna',
  'Route 66',
  'One',
  'Onward Street',
  'ada@example.com',
  '???',
])('"%s" could not', (street) => {
  expect(hasStreetShape(street)).toBe(false)
})

const sarasota = { city: 'Sarasota', state: 'FL', stateName: 'FLORIDA' }

test.each([
  '123 Main St 34236',
  '123 Main St, Sarasota, FL',
  '123 Main St Sarasota Florida',
  '123 main st sarasota fl',
  '123 Main St 34236-5610',
])('%s holds more than a street', (street) => {
  expect(holdsMoreThanStreet(street, '34236', sarasota)).toBe(true)
})

test.each([
  '123 Main St',
  '123 Sarasota Ave',
  '123 Florida St',
  '34236 Ranch Rd',
  '134236 Ranch Rd',
])('%s does not', (street) => {
  expect(holdsMoreThanStreet(street, '34236', sarasota)).toBe(false)
})
