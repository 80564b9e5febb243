import type { Settings } from './config/settings.ts'
import { makeAddressValidation } from './integrations/address-validation/client.ts'
import { makeDistributor } from './integrations/distributor/client.ts'
import { makeGeocoding } from './integrations/geocoding/client.ts'
import { makeIpLookup } from './integrations/ip-lookup/client.ts'
import { geocodeOffline } from './integrations/offline-address-check/geocode-offline.ts'
import { validateAddressOffline } from './integrations/offline-address-check/validate-address-offline.ts'

/** How long a visitor waits for each lookup at most, in milliseconds. */
const lookupTimeout = 5000

/** How long a delivery waits for the IP service at most, in milliseconds. */
const ipLookupTimeout = 3000

/**
 * The clients of all third parties.
 * @param sandboxUrl stands in for those that have no address of their own
 */
export function thirdParties(settings: Settings, sandboxUrl: string | undefined) {
  const { thirdParties: given, delivery } = settings
  const orSandbox = (url: string | undefined, path: string): string => {
    if (url !== undefined) return url
    if (sandboxUrl === undefined)
      throw new Error('a third party has no address, and no sandbox runs')
    return sandboxUrl + path
  }
  const pixel = (url: string | undefined, name: string) =>
    orSandbox(url, `/pixel/${name}.gif?lead={leadId}&sub={subId}`)
  const google = { apiKey: given.googleMapsApiKey, timeoutMs: lookupTimeout }
  const isOffline = settings.addressCheck === 'offline'
  return {
    distributor: makeDistributor({
      url: orSandbox(given.distributorUrl, '/incoming/leads'),
      encoding: given.distributorEncoding,
      timeoutMs: delivery.timeout,
    }),
    validateAddress: isOffline
      ? validateAddressOffline
      : makeAddressValidation({ ...google, baseUrl: orSandbox(given.addressValidationUrl, '') }),
    lookUpZip: isOffline
      ? geocodeOffline
      : makeGeocoding({ ...google, baseUrl: orSandbox(given.geocodingUrl, '') }),
    lookUpIp: makeIpLookup({
      url: orSandbox(given.ipLookupUrl, '/json/{ip}'),
      timeoutMs: ipLookupTimeout,
    }),
    pixels: {
      healthcare: pixel(given.pixels.healthcare, 'healthcare'),
      technology: pixel(given.pixels.technology, 'technology'),
      default: pixel(given.pixels.default, 'default'),
    },
  }
}
