export interface ZipPlace {
  readonly city: string
  /** Two letters. */
  readonly state: string
}

/**
 * The place of a US ZIP code from npm `zipcodes`; undefined if it is not listed. The first call
 * loads the data (5 MB, about 0.2 s), and only the US file: the package's own entry would also
 * answer Canadian codes.
 */
export async function lookUpZip(zip: string): Promise<ZipPlace | undefined> {
  if (!/^\d{5}$/.test(zip)) return undefined
  const { codes } = await import('zipcodes/lib/codes.js')
  const entry = codes[zip]
  if (entry === undefined) return undefined
  const { city, state } = entry
  // The forces' post offices are initials (APO, FPO, DPO); the data has them as names.
  return { city: militaryStates.has(state) ? city.toUpperCase() : city, state }
}

const militaryStates: ReadonlySet<string> = new Set(['AA', 'AE', 'AP'])

/** The place of a ZIP code of the forces: AA has 340, AE 090 to 098, AP 962 to 966. The data is loaded for these only. */
export async function lookUpMilitaryZip(zip: string): Promise<ZipPlace | undefined> {
  if (!/^(340|09[0-8]|96[2-6])/.test(zip)) return undefined
  const place = await lookUpZip(zip)
  return place && militaryStates.has(place.state) ? place : undefined
}
