import type { StepLogic } from './step-logic.ts'

/** Where it did not come it is asked for again at the next call. */
export const loadStepLogic = async (): Promise<StepLogic> =>
  (await import('./step-logic.ts')).stepLogic
