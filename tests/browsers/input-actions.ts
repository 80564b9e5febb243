import { type Key, keyCodes } from './keys.ts'

/** Input sequences, which are equal in both WebDriver protocols (W3C WebDriver, "Actions"). */
type Actions = readonly Record<string, unknown>[]

const keyboard = (actions: Actions) => [{ type: 'key', id: 'keyboard', actions }]

const stroke = (value: string): Actions => [
  { type: 'keyDown', value },
  { type: 'keyUp', value },
]

export const typing = (text: string): Actions => keyboard([...text].flatMap(stroke))

export function pressing(key: Key, times = 1): Actions {
  if (key === 'Control+a') {
    const value = keyCodes.Control
    return keyboard([{ type: 'keyDown', value }, ...stroke('a'), { type: 'keyUp', value }])
  }
  return keyboard(Array.from({ length: times }, () => stroke(keyCodes[key])).flat())
}

/** @param element the protocol's reference to an element */
export const clicking = (element: unknown): Actions => [
  {
    type: 'pointer',
    id: 'mouse',
    parameters: { pointerType: 'mouse' },
    actions: [
      { type: 'pointerMove', x: 0, y: 0, origin: element },
      { type: 'pointerDown', button: 0 },
      { type: 'pointerUp', button: 0 },
    ],
  },
]
