/** States, DC, territories and military post offices by their letters (Postal Service, Publication 28, appendix B). */
const stateNames: Readonly<Record<string, string>> = {
  AL: 'Alabama',
  AK: 'Alaska',
  AZ: 'Arizona',
  AR: 'Arkansas',
  CA: 'California',
  CO: 'Colorado',
  CT: 'Connecticut',
  DE: 'Delaware',
  DC: 'District of Columbia',
  FL: 'Florida',
  GA: 'Georgia',
  HI: 'Hawaii',
  ID: 'Idaho',
  IL: 'Illinois',
  IN: 'Indiana',
  IA: 'Iowa',
  KS: 'Kansas',
  KY: 'Kentucky',
  LA: 'Louisiana',
  ME: 'Maine',
  MD: 'Maryland',
  MA: 'Massachusetts',
  MI: 'Michigan',
  MN: 'Minnesota',
  MS: 'Mississippi',
  MO: 'Missouri',
  MT: 'Montana',
  NE: 'Nebraska',
  NV: 'Nevada',
  NH: 'New Hampshire',
  NJ: 'New Jersey',
  NM: 'New Mexico',
  NY: 'New York',
  NC: 'North Carolina',
  ND: 'North Dakota',
  OH: 'Ohio',
  OK: 'Oklahoma',
  OR: 'Oregon',
  PA: 'Pennsylvania',
  RI: 'Rhode Island',
  SC: 'South Carolina',
  SD: 'South Dakota',
  TN: 'Tennessee',
  TX: 'Texas',
  UT: 'Utah',
  VT: 'Vermont',
  VA: 'Virginia',
  WA: 'Washington',
  WV: 'West Virginia',
  WI: 'Wisconsin',
  WY: 'Wyoming',
  AS: 'American Samoa',
  FM: 'Federated States of Micronesia',
  GU: 'Guam',
  MH: 'Marshall Islands',
  MP: 'Northern Mariana Islands',
  PR: 'Puerto Rico',
  PW: 'Palau',
  VI: 'Virgin Islands',
  AA: 'Armed Forces Americas',
  AE: 'Armed Forces Europe',
  AP: 'Armed Forces Pacific',
}

/** Other common spellings of some names. */
const otherNames: Readonly<Record<string, string>> = {
  'Washington DC': 'DC',
  'US Virgin Islands': 'VI',
  Micronesia: 'FM',
}

/** Removes case, punctuation and spaces, so that `N.Y.` becomes `NY`. */
const normalizeStateText = (text: string): string => text.toUpperCase().replace(/[\s.,'’‘ʻ-]/g, '')

const codes = new Map([
  ...Object.entries(otherNames).map(([name, code]) => [normalizeStateText(name), code] as const),
  ...Object.entries(stateNames).flatMap(([code, name]) => [
    [code, code] as const,
    [normalizeStateText(name), code] as const,
  ]),
])

/** Finds a state's two letters by its name or letters, in any case; undefined for any other text. */
export const findStateCode = (text: string): string | undefined =>
  codes.get(normalizeStateText(text))

export const findStateName = (code: string): string | undefined => stateNames[code]
