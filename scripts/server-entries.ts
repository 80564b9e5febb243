/** The entry points of processes and threads, by the names of their built files. */
export const serverEntries = {
  main: 'src/start/main.ts',
  leads: 'src/cli/main.ts',
  'sqlite-thread': 'src/start/sqlite-thread.ts',
  'time-limited-reader-process':
    'src/server/platform/database/sqlite/time-limited-reader-process.ts',
} as const

/** Packages that are not bundled: pino finds its own files, and the others are large and seldom needed. */
export const unbundledPackages = [
  'pino',
  '@simplewebauthn/server',
  '@zxcvbn-ts/language-common',
  'openid-client',
  'zipcodes',
] as const
