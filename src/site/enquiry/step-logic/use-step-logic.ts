import { useCallback, useEffect, useState } from 'react'
import { whenIdle } from '../when-idle.ts'
import { loadStepLogic } from './load-step-logic.ts'
import type { StepLogic } from './step-logic.ts'

/** What shows that somebody is there: who only glances at the page is spared the rest of the script. */
const signsOfLife = ['pointermove', 'pointerdown', 'keydown', 'scroll']

/** The step's logic, undefined until it has come, and what brings it at once. */
export function useStepLogic(known: StepLogic | undefined) {
  const [logic, setLogic] = useState(known)
  const load = useCallback(async (): Promise<StepLogic> => {
    const loaded = await loadStepLogic()
    setLogic(loaded)
    return loaded
  }, [])

  useEffect(() => {
    // Should it not come, it is asked for again when it is needed, and missed then.
    const loadSoon = () => whenIdle(() => load().catch(() => undefined))
    for (const sign of signsOfLife) addEventListener(sign, loadSoon, { once: true, passive: true })
  }, [load])

  return { logic, load }
}
