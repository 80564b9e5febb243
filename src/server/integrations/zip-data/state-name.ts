/** A state's full name in upper case by its two letters; undefined for those that the data does not name (the forces). */
export async function stateName(state: string): Promise<string | undefined> {
  const { abbr } = await import('zipcodes/lib/states.js')
  return abbr[state]
}
