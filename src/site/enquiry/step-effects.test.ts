// @vitest-environment happy-dom
import { createElement, useEffect } from 'react'
import { expect, it, vi } from 'vitest'
import { exampleForm } from '#tests/enquiry/example-form.ts'
import { untilPasses } from '#tests/patience/until.ts'
import type { ControlProps } from './form-state.ts'
import { lazyFormParts } from './lazy-form-parts.ts'
import { runAfterPaint, skipIfFocusMoves, warmUpSteps } from './step-effects.tsx'

it('moves the focus after the next frame', async () => {
  const order: string[] = []
  requestAnimationFrame(() => order.push('frame'))
  await new Promise<void>((resolve) => {
    runAfterPaint(() => {
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
    runAfterPaint(work)
    dispatchEvent(new Event(type))
    expect(work).toHaveBeenCalledOnce()
    dispatchEvent(new Event(type))
    await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))
    expect(work).toHaveBeenCalledOnce()
  },
)

it('does nothing after its cancellation', async () => {
  const work = vi.fn()
  runAfterPaint(work)()
  dispatchEvent(new Event('keydown'))
  await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))
  expect(work).not.toHaveBeenCalled()
})

it('does not move the focus if the visitor has moved it', () => {
  document.body.innerHTML = '<button>Next</button><input>'
  const next = document.querySelector('button')
  const field = document.querySelector('input')
  next?.focus()
  const work = vi.fn()
  const move = skipIfFocusMoves(work)
  field?.focus()
  move()
  expect(work).not.toHaveBeenCalled()
  field?.blur()
  move()
  expect(work).toHaveBeenCalledOnce()
  next?.focus()
  move()
  expect(work).toHaveBeenCalledTimes(2)
})

it('renders the first step’s errors and the second step outside the page, and calls no service', async () => {
  const fetched = vi.fn(() => Promise.reject(new Error('no service should be called')))
  vi.stubGlobal('fetch', fetched)
  const page = document.body.innerHTML
  const ProblemSummary = vi.fn(lazyFormParts.ProblemSummary)
  const unmounted = vi.fn()
  const address = vi.fn(({ field }: ControlProps) => {
    useEffect(() => unmounted, [])
    return createElement('input', { name: field.name })
  })
  const controls = { ...lazyFormParts.controls, address }
  warmUpSteps(exampleForm, { ...lazyFormParts, controls, ProblemSummary })
  await untilPasses(() => expect(address).toHaveBeenCalled())
  // The test's window must not end before React has unmounted the invisible form.
  await untilPasses(() => expect(unmounted).toHaveBeenCalled())
  expect(ProblemSummary.mock.calls[0]?.[0].errors).toHaveProperty('firstName')
  expect(document.body.innerHTML).toBe(page)
  expect(fetched).not.toHaveBeenCalled()
  vi.unstubAllGlobals()
})
