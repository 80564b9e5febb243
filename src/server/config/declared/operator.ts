import { email, httpUrl, text } from '../value-rules.ts'
import type { Settings } from './setting.ts'

export const operatorSettings = {
  SCHOOL_NAME: {
    rule: text,
    inDemo: 'Larkspur Online University',
    means: 'the school’s name as visitors read it',
  },
  OPERATOR_NAME: {
    rule: text,
    inDemo: 'Larkspur Admissions Marketing',
    means: 'the name of the company that runs this site, for the legal pages',
  },
  PRIVACY_EMAIL: {
    rule: email,
    inDemo: 'privacy@example.com',
    means: 'the email address that privacy requests go to',
  },
  UNSUBSCRIBE_URL: {
    rule: httpUrl,
    inDemo: 'https://www.example.com/unsubscribe',
    means: 'the address of your unsubscribe form',
  },
} as const satisfies Settings
