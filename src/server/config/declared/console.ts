import { origin, text, wholeNumber } from '../value-rules.ts'
import type { Settings } from './setting.ts'

export const consoleSettings = {
  CONSOLE_PORT: {
    rule: wholeNumber(0, 65_535),
    byDefault: '3001',
    means:
      'the port that the operator’s console listens on (ROLE=console or all); 0 takes any free one',
  },
  CONSOLE_HOST: {
    rule: text,
    byDefault: '127.0.0.1',
    means: 'the address that the console listens on',
  },
  CONSOLE_ORIGIN: {
    rule: origin,
    means:
      'the origin that operators reach the console at, like https://console.example.edu; without it http://127.0.0.1 and its port',
  },
} as const satisfies Settings
