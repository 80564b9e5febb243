import type { Challenge, Solution } from 'altcha-lib'

/** @returns ALTCHA's payload, base64 of JSON @throws if Web Crypto is missing, as on plain http from another host */
export async function solveChallenge(challenge: Challenge): Promise<string> {
  const worker = new Worker(new URL('./solver-worker.ts', import.meta.url), { type: 'module' })
  const solved = new Promise<Solution | null>((resolve, reject) => {
    worker.addEventListener('message', ({ data }) => resolve(data))
    worker.addEventListener('error', () => reject(new Error('the solver did not start')))
  })
  worker.postMessage(challenge)
  const solution = await solved.finally(() => worker.terminate())
  if (solution === null) throw new Error('the challenge was not solved')
  return btoa(JSON.stringify({ challenge, solution }))
}
