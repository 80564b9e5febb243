import * as v from 'valibot'
import { stateCode } from '../address/state-code.ts'
import type { Rules } from './rules.ts'
import { line } from './text-rules.ts'

/** Address Information. City and state come from the address check, or by hand after a fault (reading 11). */
export const addressRules: Rules = () =>
  v.object({
    // Google takes at most 280 characters for street and ZIP in one line.
    address: line('Enter your street address.', 200),
    zip: v.pipe(
      v.string(),
      v.trim(),
      v.nonEmpty('Enter your ZIP code.'),
      v.regex(/^\d{5}$/, 'Enter the 5 digits of your ZIP code.'),
    ),
    city: line('Enter your city.', 100),
    state: v.pipe(
      v.string(),
      v.trim(),
      v.nonEmpty('Enter your state.'),
      v.check((text) => stateCode(text) !== undefined, 'Enter your state, like FL or Florida.'),
      // The form writes a name as its letters before; who writes a program writes these.
      v.length(2, 'Enter the two letters of your state, like FL.'),
    ),
  })
