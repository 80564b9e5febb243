/**
 * Runs a function, and closes what it needed where it fails. Rejects with the function's own error: the one from closing
 * often says only that nothing is open.
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

/** Runs a function, and closes what it needed in any case: see {@link closeOnFailure}. */
export async function runAndClose<Result>(
  run: () => Promise<Result>,
  close: () => unknown,
): Promise<Result> {
  const result = await closeOnFailure(run, close)
  await close()
  return result
}

/** Ignores errors, to clean up after an earlier one. */
export const ignoreErrors = async (run: () => unknown): Promise<void> => {
  try {
    await run()
  } catch {
    // The first error is the one to report.
  }
}
