/** What is said with a question about an address. Each can be passed over. */
export const addressQuestion = {
  suggestion: (street: string) => `Did you mean ${street}?`,
  take: (street: string) => `Use ${street}`,
  unknown: 'Is this street right?',
  unknownHint: 'We could not find it. Please check it, or keep it as it is.',
  keep: 'Keep what I typed',
  unit: 'Which apartment or unit is yours?',
  unitHint: 'This building seems to have more than one apartment or unit.',
  unitLabel: 'Apartment or unit',
  addUnit: 'Add it',
  noUnit: 'My address has no unit',
}
