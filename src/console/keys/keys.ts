interface KeyGroup {
  readonly where: string
  readonly keys: readonly (readonly [key: string, does: string])[]
}

/** All that there are. What presses a button stands beside it as well. */
export const keyGroups: readonly KeyGroup[] = [
  {
    where: 'Everywhere',
    keys: [
      ['/', 'search'],
      ['?', 'show these keys'],
    ],
  },
  {
    where: 'In a list',
    keys: [
      ['j', 'the next row, and past the last one the next page'],
      ['k', 'the row before'],
      ['Enter', 'open it'],
    ],
  },
  {
    where: 'In the quarantine',
    keys: [
      ['r', 'release the lead'],
      ['l', 'leave it, and go to the next one'],
      ['e', 'erase it: asks first'],
      ['v', 'reveal the person'],
      ['u', 'undo the last release, for 10 seconds'],
    ],
  },
]
