import { expect, test } from 'vitest'
import { progressBar } from './terminal.ts'

function screenOf(isTTY: boolean) {
  let shown = ''
  const write = (text: string) => {
    shown += text
    return true
  }
  return { isTTY, write: write as NodeJS.WriteStream['write'], shown: () => shown }
}

test('shows the progress, and disappears at the end', () => {
  const screen = screenOf(true)
  const bar = progressBar('exporting', 2000, screen)
  bar.update(1000)
  expect(screen.shown()).toBe(
    `\rexporting ${'█'.repeat(15)}${'░'.repeat(15)} 50 %  1,000 of 2,000\u001b[K`,
  )
  bar.end()
  expect(screen.shown().endsWith('\r\u001b[K')).toBe(true)
})

test('more than the expected total counts as 100 %, also for a total of 0', () => {
  const screen = screenOf(true)
  progressBar('exporting', 10, screen).update(12)
  progressBar('exporting', 0, screen).update(0)
  expect(screen.shown().match(/100 %/g)).toHaveLength(2)
})

test('shows nothing without a terminal', () => {
  const screen = screenOf(false)
  const bar = progressBar('exporting', 2000, screen)
  bar.update(1000)
  bar.end()
  expect(screen.shown()).toBe('')
})
