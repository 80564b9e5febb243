/** Between the error and the mark of the words that came with it: no error has one. */
const between = '~'

/** Of an error and of what was said with it: it stands in addresses, and in a filter in an error's place. */
export const errorGroupId = (error: string, mark: string): string => `${error}${between}${mark}`

/** The error of a group. */
export const errorOf = (group: string): string => group.split(between, 1)[0] ?? group

export const isErrorGroup = (error: string): boolean => error.includes(between)
