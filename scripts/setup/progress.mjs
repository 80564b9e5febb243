import { stderr } from 'node:process'

/** Seconds between two signs of life where nothing can be redrawn: often enough to see that it lives. */
const SIGN_OF_LIFE_S = 15

/**
 * Says on stderr that `work` goes on, for how long, and how it ended. Standard output is left to the
 * command that follows.
 * @template T
 * @param {string} title
 * @param {() => Promise<T>} work
 * @returns {Promise<T>} what `work` returned
 */
export async function withProgress(title, work) {
  const startedAt = performance.now()
  const seconds = () => Math.round((performance.now() - startedAt) / 1000)
  const line = (/** @type {string} */ end) => {
    stderr.write(stderr.isTTY ? `\r\x1b[K${title} … ${end}` : `${title} … ${end}\n`)
  }
  stderr.write(stderr.isTTY ? `${title} …` : `${title} …\n`)
  const ticker = setInterval(
    () => line(`${seconds()} s`),
    stderr.isTTY ? 1000 : SIGN_OF_LIFE_S * 1000,
  )
  const end = (/** @type {string} */ word) => {
    clearInterval(ticker)
    line(`${word} ${seconds()} s`)
    if (stderr.isTTY) stderr.write('\n')
  }
  try {
    const result = await work()
    end('done in')
    return result
  } catch (error) {
    end('failed after')
    throw error
  }
}

/** @param {string} message */
export function say(message) {
  stderr.write(`${message}\n`)
}
