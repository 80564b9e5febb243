/** Runs it at most once in `ms` milliseconds; who asks in between gets the same answer. */
export function atMostEvery<Answer>(ms: number, run: () => Promise<Answer>): () => Promise<Answer> {
  let askedAt = Number.NEGATIVE_INFINITY
  let answer: Promise<Answer>
  return () => {
    const now = performance.now()
    if (now - askedAt >= ms) {
      askedAt = now
      answer = run()
    }
    return answer
  }
}
