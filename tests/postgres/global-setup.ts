import type { TestProject } from 'vitest/node'
import { startPostgres } from './start-postgres.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The PostgreSQL of this run: see {@link startPostgres}. */
    postgresUrl: string
  }
}

/** Starts one cluster for the run; `freshDatabase` gives each test file its own database in it. */
export default async function globalSetup(project: TestProject): Promise<() => Promise<void>> {
  const postgres = await startPostgres()
  project.provide('postgresUrl', postgres.url)
  return postgres.stop
}
