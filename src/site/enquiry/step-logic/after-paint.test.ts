// @vitest-environment happy-dom
import { expect, it, vi } from 'vitest'
import { afterPaint } from './after-paint.ts'

it('lets the browser make a frame before it moves the focus', async () => {
  const order: string[] = []
  requestAnimationFrame(() => order.push('frame'))
  await new Promise<void>((resolve) => {
    afterPaint(() => {
      order.push('focus')
      resolve()
    })
    order.push('reply')
  })
  expect(order).toEqual(['reply', 'frame', 'focus'])
})

it.each(['keydown', 'pointerdown'])(
  'moves the focus before an early %s, and only once',
  async (type) => {
    const work = vi.fn()
    afterPaint(work)
    dispatchEvent(new Event(type))
    expect(work).toHaveBeenCalledOnce()
    dispatchEvent(new Event(type))
    await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))
    expect(work).toHaveBeenCalledOnce()
  },
)

it('does nothing once it was canceled', async () => {
  const work = vi.fn()
  afterPaint(work)()
  dispatchEvent(new Event('keydown'))
  await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))
  expect(work).not.toHaveBeenCalled()
})
