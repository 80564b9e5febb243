import { LRUCache } from 'lru-cache'
import { ipLookupTimeoutMs } from '#domain/delivery/delivery.ts'
import { hour } from '#domain/durations.ts'
import type { Settings } from '#server/config/settings.ts'
import { makeDistributorClient } from '#server/delivery/distributor-client.ts'
import { makeAddressValidation } from '#server/lookups/address-validation.ts'
import { makeGeocoding, type ZipPlaceLookup } from '#server/lookups/geocoding.ts'
import {
  type LookupOutcome,
  type LookupService,
  makeIpLookup,
} from '#server/lookups/lookup-service.ts'
import {
  geocodeOffline,
  validateAddressOffline,
  withOfflineMilitaryAddresses,
  withOfflineMilitaryZips,
} from '#server/lookups/offline-address-check.ts'

/** The longest time that a visitor waits for a lookup including its retry, in milliseconds. */
const lookupTimeout = 5000

/** How long a ZIP code's place is cached, in milliseconds. Google's terms allow temporary, not permanent, caching. */
const zipCacheMs = hour

/** The most ZIP codes to cache: a quarter of all ZIP codes, at about 200 bytes each. */
const maxZips = 10_000

/**
 * Makes the clients of all third parties.
 * @param sandboxUrl the URL that stands in for every third party without a configured URL
 * @param onCall called for every call except those to the distributor
 */
export function makeThirdPartyClients(
  settings: Settings,
  sandboxUrl: string | undefined,
  onCall: (service: LookupService, outcome: LookupOutcome) => void,
  clock: () => number = Date.now,
) {
  const { thirdParties: given, delivery } = settings
  const orSandbox = (url: string | undefined, path: string): string => {
    if (url !== undefined) return url
    if (sandboxUrl === undefined) throw new Error('a third party has no URL, and no sandbox runs')
    return sandboxUrl + path
  }
  const pixel = (url: string | undefined, name: string) =>
    orSandbox(url, `/pixel/${name}.gif?lead={leadId}&sub={subId}`)
  const counted = (service: LookupService) => ({
    onCall: (outcome: LookupOutcome) => onCall(service, outcome),
  })
  const google = { apiKey: given.googleMapsApiKey, timeoutMs: lookupTimeout }
  const isOffline = settings.addressCheck === 'offline'
  return {
    distributor: makeDistributorClient({
      url: orSandbox(given.distributorUrl, '/incoming/leads'),
      encoding: given.distributorEncoding,
      timeoutMs: delivery.timeout,
      clock,
    }),
    validateAddress: isOffline
      ? validateAddressOffline
      : withOfflineMilitaryAddresses(
          makeAddressValidation({
            ...google,
            ...counted('address-validation'),
            baseUrl: orSandbox(given.addressValidationUrl, ''),
          }),
        ),
    lookUpZip: isOffline
      ? geocodeOffline
      : cacheZipLookups(
          withOfflineMilitaryZips(
            makeGeocoding({
              ...google,
              ...counted('geocoding'),
              baseUrl: orSandbox(given.geocodingUrl, ''),
            }),
          ),
        ),
    lookUpIp: makeIpLookup({
      url: orSandbox(given.ipLookupUrl, '/json/{ip}'),
      timeoutMs: ipLookupTimeoutMs,
      ...counted('ip-lookup'),
    }),
    /** Only in demo mode may postbacks and webhooks call hosts of this machine, because the sandbox receives them. */
    notificationCalls: {
      timeoutMs: delivery.timeout,
      allowsLocal: settings.mode === 'demo',
    },
    pixels: {
      healthcare: pixel(given.pixels.healthcare, 'healthcare'),
      technology: pixel(given.pixels.technology, 'technology'),
      default: pixel(given.pixels.default, 'default'),
    },
  }
}

/** Caches answers by ZIP code. Lookups of one ZIP code at the same time share a call. Failures are not cached. */
function cacheZipLookups(lookUpZip: ZipPlaceLookup): ZipPlaceLookup {
  const answers = new LRUCache<string, Awaited<ReturnType<ZipPlaceLookup>>>({
    max: maxZips,
    ttl: zipCacheMs,
    fetchMethod: lookUpZip,
  })
  return async (zip) => {
    const answer = await answers.forceFetch(zip)
    if (answer.kind !== 'answered') answers.delete(zip)
    return answer
  }
}
