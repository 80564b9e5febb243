import { services } from '../faults.ts'
import {
  CallRows,
  Counts,
  callRowId,
  countsId,
  LeadRows,
  leadRowId,
  markup,
  mostRows,
  type SandboxState,
  SwitchState,
  switchStateId,
} from './rows.tsx'

/** The parts of an open page that change. */
export interface LiveView {
  /** The ids of each table's rows, the newest first. */
  readonly rows: Readonly<Record<'leads' | 'calls', readonly string[]>>
  /** HTML by the id of its element. */
  readonly parts: Readonly<Record<string, string>>
}

/** The current view. */
export function liveView({ ledger, calls, switches }: SandboxState): LiveView {
  const leadRows = ledger.latest(mostRows).map((entry) => [leadRowId(entry), entry] as const)
  const callRows = calls.latest(mostRows).map((call) => [callRowId(call), call] as const)
  return {
    rows: { leads: leadRows.map(([id]) => id), calls: callRows.map(([id]) => id) },
    parts: Object.fromEntries([
      [countsId, markup(<Counts ledger={ledger} />)],
      ...services.map((service) => [
        switchStateId(service),
        markup(<SwitchState service={service} now={switches.now(service)} />),
      ]),
      ...leadRows.map(([id, entry]) => [id, markup(<LeadRows entry={entry} />)]),
      ...callRows.map(([id, call]) => [id, markup(<CallRows call={call} />)]),
    ]),
  }
}

/** The same view with only the parts that the page doesn't have yet. */
export const sinceThen = ({ rows, parts }: LiveView, had: LiveView['parts']): LiveView => ({
  rows,
  parts: Object.fromEntries(Object.entries(parts).filter(([id, html]) => had[id] !== html)),
})
