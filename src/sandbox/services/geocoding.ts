import { Hono } from 'hono'
import { stateName } from '#domain/enquiry/address/state-code.ts'
import { lookUpZip, type ZipPlace } from '#server/lookups/zip-data/look-up-zip.ts'

/** Google's Geocoding of the sandbox, for ZIP codes. Takes every key but `Sandbox-Invalid-Key`. */
export function geocodingStandIn() {
  const app = new Hono()
  app.get('/maps/api/geocode/json', async (c) => {
    const { address: zip, key } = c.req.query()
    if (key === 'Sandbox-Invalid-Key') {
      return c.json(failure('REQUEST_DENIED', 'The provided API key is invalid.'))
    }
    if (!zip) return c.json(failure('INVALID_REQUEST', 'The address is missing.'), 400)
    if (zip === '99999') return c.json(failure('OVER_QUERY_LIMIT', 'Over the query limit.'))
    if (zip === '99998') return c.json(failure('REQUEST_DENIED', 'This key is not authorized.'))
    if (zip === '99997') return c.json(failure('UNKNOWN_ERROR', 'The server is down.'), 503)
    const place = await lookUpZip(zip)
    if (place === undefined) return c.json({ results: [], status: 'ZERO_RESULTS' })
    return c.json({
      results: [result(zip, place, stateName(place.state) ?? place.state)],
      status: 'OK',
    })
  })
  return app
}

const failure = (status: string, error_message: string) => ({ error_message, results: [], status })

function result(zip: string, { city, state }: ZipPlace, stateInFull: string) {
  // Not the ZIP's: nothing in the product reads them.
  const location = { lat: 27.3, lng: -82.5 }
  return {
    address_components: [
      { long_name: zip, short_name: zip, types: ['postal_code'] },
      { long_name: city, short_name: city, types: ['locality', 'political'] },
      {
        long_name: titleCase(stateInFull),
        short_name: state,
        types: ['administrative_area_level_1', 'political'],
      },
      { long_name: 'United States', short_name: 'US', types: ['country', 'political'] },
    ],
    formatted_address: `${city}, ${state} ${zip}, USA`,
    geometry: {
      location,
      location_type: 'APPROXIMATE',
      viewport: { northeast: location, southwest: location },
    },
    place_id: `sandbox-${zip}`,
    types: ['postal_code'],
  }
}

const titleCase = (text: string) =>
  text.length === 2
    ? text
    : text.toLowerCase().replace(/\b[a-z]/g, (letter) => letter.toUpperCase())
