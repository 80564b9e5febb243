/** A name's initials: enough to tell one line from the next, and too little to know somebody by. */
export const maskedName = (name: string): string =>
  name
    .split(/\s+/)
    .filter((word) => word !== '')
    .map((word) => `${[...word][0]}.`)
    .slice(0, 3)
    .join(' ')
