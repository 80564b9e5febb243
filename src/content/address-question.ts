/** What is said with a question about an address (decision 0061). Each can be passed over. */
export const addressQuestion = {
  suggestion: (street: string) => `Did you mean ${street}?`,
  take: (street: string) => `Use ${street}`,
  unknown: 'Is this street right?',
  unknownHint: 'We could not find it. Please look at it once more, or keep it as it is.',
  keep: 'Keep what I typed',
  unit: 'Is there an apartment or unit?',
  unitHint: 'This building seems to have several.',
  unitLabel: 'Apartment or unit',
  addUnit: 'Add it',
  noUnit: 'My address has no unit',
}
