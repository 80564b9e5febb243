/**
 * Runs a function, and closes its resource if the function fails. Rejects with the function's own error, because the
 * error from closing often says only that nothing is open.
 */
export async function closeOnFailure<Result>(
  run: () => Promise<Result>,
  close: () => unknown,
): Promise<Result> {
  try {
    return await run()
  } catch (error) {
    await ignoreErrors(close)
    throw error
  }
}

/** Runs a function, and closes its resource in any case: see {@link closeOnFailure}. */
export async function runAndClose<Result>(
  run: () => Promise<Result>,
  close: () => unknown,
): Promise<Result> {
  const result = await closeOnFailure(run, close)
  await close()
  return result
}

/** Runs a clean-up after an earlier error, and ignores the clean-up's errors. */
export const ignoreErrors = async (run: () => unknown): Promise<void> => {
  try {
    await run()
  } catch {
    // The caller reports the earlier error.
  }
}
