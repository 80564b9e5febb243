/**
 * Runs something, and closes what it needed where that fails. What was met first is told, not what the closing says after it: often
 * no more than that nothing is open.
 */
export async function closeOnFailure<Result>(
  run: () => Promise<Result>,
  close: () => unknown,
): Promise<Result> {
  try {
    return await run()
  } catch (error) {
    await quietly(close)
    throw error
  }
}

/** Runs something, and closes what it needed whatever becomes of it: see {@link closeOnFailure}. */
export async function runAndClose<Result>(
  run: () => Promise<Result>,
  close: () => unknown,
): Promise<Result> {
  const result = await closeOnFailure(run, close)
  await close()
  return result
}

/** Tidies up after a failure that has more to say. */
export const quietly = async (run: () => unknown): Promise<void> => {
  try {
    await run()
  } catch {
    // Nothing that the first did not bring about.
  }
}
