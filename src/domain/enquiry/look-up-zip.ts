export interface ZipEntry {
  readonly city: string
  /** The state's two letters. */
  readonly state: string
}

/** Finds the city and state of a ZIP code in npm's `zipcodes`. The first call loads 5 MB of data in about 0.2 s. */
export async function lookUpZip(zip: string): Promise<ZipEntry | undefined> {
  if (!/^\d{5}$/.test(zip)) return undefined
  const { codes } = await import('zipcodes/lib/codes.js')
  const entry = codes[zip]
  if (entry === undefined) return undefined
  const { city, state } = entry
  // People write military post offices as initials (APO, FPO, DPO), but the data spells them as names.
  return { city: militaryStates.has(state) ? city.toUpperCase() : city, state }
}

const militaryStates: ReadonlySet<string> = new Set(['AA', 'AE', 'AP'])

/** Finds the place of a military ZIP code (340 AA, 090–098 AE, 962–966 AP). Other ZIP codes don't load the data. */
export async function lookUpMilitaryZip(zip: string): Promise<ZipEntry | undefined> {
  if (!/^(340|09[0-8]|96[2-6])/.test(zip)) return undefined
  const place = await lookUpZip(zip)
  return place && militaryStates.has(place.state) ? place : undefined
}
