import { mostRetentionDays } from '#domain/lead/retention.ts'
import { databaseUrl, text, wholeNumber } from '../value-rules.ts'
import type { Settings } from './setting.ts'

export const leadSettings = {
  DATA_DIR: {
    rule: text,
    byDefault: './data',
    isOfStore: true,
    means: 'the folder of leads.sqlite, on a local disk',
  },
  DATABASE_URL: {
    rule: databaseUrl,
    mayBeSecret: true,
    isOfStore: true,
    means: 'the address of a PostgreSQL database (postgres://…) to keep leads in; else DATA_DIR',
  },
  RETENTION_DAYS: {
    // Not set: nothing goes by itself.
    rule: wholeNumber(1, mostRetentionDays),
    isOfStore: true,
    means: 'how many days a lead’s answers are kept; without it they are kept for ever',
  },
} as const satisfies Settings
