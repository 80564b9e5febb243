const isTiny = process.env.BENCH_SIZE === 'tiny'

/**
 * Returns a benchmark's count or duration. With BENCH_SIZE=tiny, a run only proves that every benchmark still works:
 * nothing judges or records its meaningless figures.
 */
export const sized = (full: number, tiny: number): number => (isTiny ? tiny : full)

export const isJudged = !isTiny
