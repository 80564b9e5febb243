import { answerLimitMs } from '#content/ui-constants.ts'
import type { StepLogic } from './step-logic.ts'

/** Where it did not come, or not in time, it is asked for again at the next call. */
export const loadStepLogic = (): Promise<StepLogic> =>
  new Promise((resolve, reject) => {
    setTimeout(() => reject(new Error('the script did not come in time')), answerLimitMs)
    import('./step-logic.ts').then(({ stepLogic }) => resolve(stepLogic), reject)
  })
