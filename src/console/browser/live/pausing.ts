import { recall, remember } from '../remembered.ts'

/** Remembered for all pages: what moves by itself can be stopped (WCAG 2.2.2). */
const switchName = 'console-live'

export const isPaused = (): boolean => recall(switchName) === 'off'

export const pauseOrGoOn = (): void => remember(switchName, isPaused() ? 'on' : 'off')
