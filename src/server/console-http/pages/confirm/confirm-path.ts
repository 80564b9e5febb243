export const confirmPath = '/confirm'

/** The page that asks again. A kept form's id tells nothing: docs/decisions/0177. */
export const confirmAddress = (keptId: string | undefined): string =>
  keptId === undefined ? confirmPath : `${confirmPath}?kept=${keptId}`
