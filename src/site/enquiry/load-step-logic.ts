/** The rules and the calls: a script of its own, as nothing of it is needed before the visitor begins to answer. */
export const loadStepLogic = () => import('./step-logic.ts')
