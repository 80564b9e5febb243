import { expect, test } from 'vitest'
import { hasStreetShape, holdsMoreThanStreet } from './street-rules.ts'

test.each([
  '123 Main St',
  ' 12B Baker Street Apt 4 ',
  '123 1/2 Elm',
  '12-34 Queens Blvd',
  'N6W23001 Bluemound Rd',
  '123 5th Ave',
  '7 Señal',
  'PO Box 12',
  'P.O. Box 12',
  'p o box #7A',
  'RR 2 Box 14',
  'Rural Route 2 Box 14',
  'HC 1 Box 2',
  'PSC 802, Box 74',
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
  'RR 2',
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
