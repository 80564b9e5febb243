const inputs = ['keydown', 'pointerdown'] as const

/**
 * Runs the work once the browser has painted what React has just changed. A key or a press that comes sooner runs it
 * first: a key then goes where the work has put the focus, and the work cannot take the focus from what was pressed.
 * @returns what cancels the work while it waits
 */
export function afterPaint(work: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const cancel = () => {
    cancelAnimationFrame(frame)
    clearTimeout(timer)
    for (const type of inputs) removeEventListener(type, run, { capture: true })
  }
  const run = () => {
    cancel()
    work()
  }
  const frame = requestAnimationFrame(() => {
    timer = setTimeout(run)
  })
  for (const type of inputs) addEventListener(type, run, { capture: true })
  return cancel
}
