import { expect, test } from 'vitest'
import { describeFault, needsReload, OperatorFault, Reloader } from './reloader.ts'

/** Runs the numbers from 1 on, and fails when the test asks for it. */
function setUp() {
  const failing = new Set<'prepare' | 'start' | 'stop'>()
  const stopped: number[] = []
  const faults: unknown[] = []
  let started = 0
  const failIf = (step: 'prepare' | 'start' | 'stop') => {
    if (failing.has(step)) throw new Error(step)
  }
  const reloader = new Reloader<number>({
    prepare: async () => {
      failIf('prepare')
      return async () => {
        failIf('start')
        return ++started
      }
    },
    stop: async (running) => {
      stopped.push(running)
      failIf('stop')
    },
    onFault: (error) => faults.push(error),
  })
  return { reloader, failing, stopped, faults }
}

test('a failed read keeps the running version, and the next reload works', async () => {
  const { reloader, failing, stopped, faults } = setUp()
  await reloader.reload()
  failing.add('prepare')
  expect(await reloader.reload()).toBe(false)
  expect(await reloader.current()).toBe(1)
  expect([stopped, faults]).toEqual([[], [new Error('prepare')]])
  failing.clear()
  expect(await reloader.reload()).toBe(true)
  expect(await reloader.current()).toBe(2)
  expect(stopped).toEqual([1])
})

test.each(['start', 'stop'] as const)(
  'requests get the error of a failed %s, and the next reload starts',
  async (step) => {
    const { reloader, failing, stopped } = setUp()
    await reloader.reload()
    failing.add(step)
    await reloader.reload()
    await expect(reloader.current()).rejects.toThrow(step)
    failing.clear()
    await reloader.reload()
    expect(await reloader.current()).toBe(2)
    // The stopped number is not stopped a second time.
    expect(stopped).toEqual([1])
  },
)

test('a request during a reload waits for its result', async () => {
  const { reloader } = setUp()
  await reloader.reload()
  void reloader.reload()
  expect(await reloader.current()).toBe(2)
})

test('a fault in the operator’s files is shown as a message without a stack', () => {
  const words = 'The configuration needs to be corrected:\n  - content/business.yaml, line 4: …\n'
  expect(describeFault(new OperatorFault(words))).toBe(words)
})

test('an error in the code is shown with its line', () => {
  expect(describeFault(new TypeError('x is not a function'))).toMatch(
    /^TypeError: x is not a function\n.*reloader\.test\.ts:\d+/,
  )
})

test('a thrown value that is not an error is shown, too', () => {
  expect(describeFault('gone')).toBe('gone')
})

test.each([
  ['/src/console/console-app.tsx', true],
  ['/content/business.yaml', true],
  ['/src/site/enquiry/about-you-fields.tsx', false],
  ['/src/ui/base.css', false],
  ['/src/ui/select-field.tsx', true],
])('after a change of %s, pages reload: %s', (path, expected) => {
  expect(needsReload(path)).toBe(expected)
})
