import * as v from 'valibot'
import { isEmail } from '../contact/email.ts'
import { phoneNumber } from '../contact/phone.ts'
import type { Rules } from './rules.ts'
import { line } from './text-rules.ts'

/** Primary Information. */
export const aboutYouRules: Rules = () =>
  v.object({
    firstName: line('Enter your first name.', 100),
    lastName: line('Enter your last name.', 100),
    phone: v.pipe(
      v.string(),
      v.trim(),
      v.nonEmpty('Enter your phone number.'),
      v.check(
        (text) => phoneNumber(text) !== undefined,
        'Enter a 10-digit U.S. phone number, like (941) 555-0100.',
      ),
    ),
    email: v.pipe(
      line('Enter your email address.', 254),
      v.check(isEmail, 'Enter an email address like name@example.com.'),
    ),
  })
