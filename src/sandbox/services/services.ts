export const services = ['distributor', 'address-validation', 'geocoding', 'ip-lookup'] as const

export type Service = (typeof services)[number]

export const serviceNames: Readonly<Record<Service, string>> = {
  distributor: 'Lead distributor',
  'address-validation': 'Address Validation',
  geocoding: 'Geocoding',
  'ip-lookup': 'IP geolocation',
}

/** All but the distributor. */
export type Lookup = Exclude<Service, 'distributor'>
