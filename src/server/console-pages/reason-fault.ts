/** Leaves room in the audit for what was done, in characters. */
export const longestLeadReason = 450

/** What is wrong with a reason that was typed; undefined where nothing is. */
export function reasonFault(reason: string, longest: number): string | undefined {
  const { length } = reason.trim()
  return length <= longest ? undefined : `Use ${longest} characters or fewer: these are ${length}.`
}
