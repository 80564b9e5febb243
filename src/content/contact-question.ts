/** What is said with a question about phone or email. It can be passed over. */
export const contactQuestion = {
  email: (meant: string) => `Did you mean ${meant}?`,
  take: (meant: string) => `Use ${meant}`,
  phone: (phone: string) => `Is ${phone} right?`,
  phoneHint: 'No U.S. phone number has a 0 or 1 at the start, or after the area code.',
  keep: 'Keep what I typed',
}
