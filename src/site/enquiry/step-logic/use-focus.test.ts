// @vitest-environment happy-dom
import { expect, it, vi } from 'vitest'
import { unlessElsewhere } from './use-focus.ts'

it('leaves the focus where the visitor has put it meanwhile', () => {
  document.body.innerHTML = '<button>Next</button><input>'
  const next = document.querySelector('button')
  const field = document.querySelector('input')
  next?.focus()
  const work = vi.fn()
  const move = unlessElsewhere(work)
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
