import { expect, test } from 'vitest'
import { placeOf } from './place-of.ts'

const part = (type: string, long_name: string, short_name = long_name) => ({
  long_name,
  short_name,
  types: [type, 'political'],
})
const zip = part('postal_code', '11201')
const us = part('country', 'United States', 'US')
const ny = part('administrative_area_level_1', 'New York', 'NY')

test('city from the locality, state in two letters', () => {
  const result = { address_components: [zip, part('locality', 'Albany'), ny, us] }
  expect(placeOf([result], '11201')).toEqual({ city: 'Albany', state: 'NY' })
})

test.each(['postal_town', 'sublocality', 'neighborhood', 'administrative_area_level_3'])(
  'without a locality the %s is the city',
  (type) => {
    const result = {
      address_components: [zip, part(type, 'Brooklyn'), ny, us],
      postcode_localities: ['Other'],
    }
    expect(placeOf([result], '11201')?.city).toBe('Brooklyn')
  },
)

test('without any of them the first locality of the postcode is the city', () => {
  const result = { address_components: [zip, ny, us], postcode_localities: ['Arden', 'Fletcher'] }
  expect(placeOf([result], '11201')).toEqual({ city: 'Arden', state: 'NY' })
})

test('the first result for this ZIP in the US is the one', () => {
  const other = {
    address_components: [part('postal_code', '11202'), part('locality', 'Wrong'), ny, us],
  }
  const abroad = { address_components: [zip, part('locality', 'Far'), part('country', 'x', 'BR')] }
  const right = { address_components: [zip, part('locality', 'Right'), ny, us] }
  expect(placeOf([other, abroad, right], '11201')?.city).toBe('Right')
  expect(placeOf([other, abroad], '11201')).toBeUndefined()
})

test.each(['PR', 'VI', 'AS', 'GU', 'MP', 'PW', 'FM', 'MH'])(
  '%s is a country to Google and a state to US mail, whatever part of the island Google names',
  (country) => {
    const island = part('country', 'An island', country)
    const district = part('administrative_area_level_1', 'Ponce')
    const place = { city: 'Ponce', state: country }
    for (const parts of [[island], [district, island]]) {
      const result = { address_components: [zip, part('locality', 'Ponce'), ...parts] }
      expect(placeOf([result], '11201')).toEqual(place)
    }
  },
)

test('a country that is not named was asked for', () => {
  expect(placeOf([{ address_components: [zip, ny] }], '11201')).toEqual({ state: 'NY' })
})
