export const confirmPath = '/confirm'

interface Asked {
  /** Of a kept form. It tells nothing. */
  readonly keptId?: string
  /** Nothing was kept, as it was a search for a person. */
  readonly isForSearch?: boolean
}

/** The page that asks again. */
export function confirmAddress({ keptId, isForSearch }: Asked): string {
  if (keptId !== undefined) return `${confirmPath}?kept=${keptId}`
  return isForSearch ? `${confirmPath}?for=search` : confirmPath
}
