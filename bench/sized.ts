const isTiny = process.env.BENCH_SIZE === 'tiny'

/**
 * A bench's count or duration. With BENCH_SIZE=tiny a run only proves that every bench still works: its figures mean
 * nothing, and none is judged or written down.
 */
export const sized = (full: number, tiny: number): number => (isTiny ? tiny : full)

/** @see sized */
export const isJudged = !isTiny
