import { expect, test } from 'vitest'
import * as constants from './ui-constants.ts'

test('the timings have the values of section 9', () => {
  expect(constants).toMatchObject({
    listHeightPx: 200,
    typeAheadResetMs: 250,
    tooltipFadeMs: 250,
    scrollerResizeDelayMs: 10,
    toastDurationMs: 3000,
    uiConstantsCss: ':root{--tooltip-fade:250ms;--list-height:200px}',
  })
})
