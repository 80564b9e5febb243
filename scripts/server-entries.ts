/** What starts as a process or a thread of its own, by the name of its built file. */
export const serverEntries = {
  main: 'src/server/start/main.ts',
  leads: 'src/cli/main.ts',
  'sqlite-thread': 'src/server/start/sqlite-thread.ts',
  'bounded-reader-process': 'src/server/platform/database/sqlite/bounded-reader-process.ts',
} as const
