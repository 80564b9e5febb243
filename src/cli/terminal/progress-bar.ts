const barWidth = 30
/** Often enough to look alive. */
const everyMs = 100

export interface ProgressBar {
  readonly update: (done: number) => void
  /** Removes the bar, so that only the result remains. */
  readonly end: () => void
}

type Screen = Pick<NodeJS.WriteStream, 'isTTY' | 'write'>

/** Shown on a terminal only: a log would fill with it. */
export function progressBar(
  label: string,
  total: number,
  screen: Screen = process.stderr,
): ProgressBar {
  if (!screen.isTTY) return { update: () => undefined, end: () => undefined }
  let shownAt = Number.NEGATIVE_INFINITY
  return {
    update: (done) => {
      const now = performance.now()
      if (now - shownAt < everyMs && done < total) return
      shownAt = now
      screen.write(`\r${line(label, done, total)}\u001b[K`)
    },
    end: () => screen.write('\r\u001b[K'),
  }
}

function line(label: string, done: number, total: number): string {
  const share = total === 0 ? 1 : Math.min(done / total, 1)
  const full = Math.round(share * barWidth)
  const bar = '█'.repeat(full) + '░'.repeat(barWidth - full)
  return `${label} ${bar} ${Math.floor(share * 100)} %  ${count(done)} of ${count(total)}`
}

const count = (n: number): string => n.toLocaleString('en-US')
