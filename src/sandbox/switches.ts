import { distributorFaults, type Fault, lookupFaults, type Service } from './faults.ts'

/** The faults that each service can be switched to. */
export const faultsOf: Readonly<Record<Service, readonly Fault[]>> = {
  distributor: distributorFaults,
  ...lookupFaults,
}

export interface SwitchedFault {
  readonly fault: Fault
  /** Calls that it still answers; Infinity until it is switched back. */
  readonly callsLeft: number
}

/** Set on the sandbox's page: "from now on every call is answered with …". */
export interface Switches {
  /** @returns undefined if the service answers normally */
  now(service: Service): SwitchedFault | undefined
  /** Without a fault the service answers normally again. */
  turn(service: Service, to?: SwitchedFault): void
  /** For one call: the fault to answer with, if any. */
  take(service: Service): Fault | undefined
}

/** @param onChange called when a switch changes */
export function makeSwitches(onChange: () => void = () => undefined): Switches {
  const turned = new Map<Service, SwitchedFault>()
  const turn: Switches['turn'] = (service, to) => {
    if (to) turned.set(service, to)
    else turned.delete(service)
    onChange()
  }
  return {
    now: (service) => turned.get(service),
    turn,
    take(service) {
      const switched = turned.get(service)
      if (switched === undefined) return undefined
      const { fault, callsLeft } = switched
      if (callsLeft !== Infinity) {
        turn(service, callsLeft > 1 ? { fault, callsLeft: callsLeft - 1 } : undefined)
      }
      return fault
    },
  }
}
