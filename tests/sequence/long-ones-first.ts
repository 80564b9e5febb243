import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * Small test files that take long. In a clone without earlier runs, Vitest begins with the largest files. If one of
 * these began last, other cores would be idle.
 */
const long = [
  'tests/product/fresh-clone.integration.test.ts',
  'tests/documents/commands.integration.test.ts',
  'tests/product/stop-and-crash.integration.test.ts',
  'tests/deploy/image.integration.test.ts',
  'src/cli/export.integration.test.ts',
  'src/console/sign-in/sign-in.integration.test.ts',
  'src/server/jobs/jobs.integration.test.ts',
  'src/server/platform/database/postgres/timeout-pool.integration.test.ts',
  'src/console/slow-query.integration.test.ts',
  'tests/product/damaged-store.integration.test.ts',
  'tests/product/personal-data.integration.test.ts',
  'tests/deploy/restore.integration.test.ts',
  'tests/faults/third-party.fault.ts',
  'tests/faults/bulk-jobs.fault.ts',
  'tests/faults/postgres-silent.fault.ts',
  'tests/faults/kill.fault.ts',
  'tests/faults/stop.fault.ts',
  'tests/faults/upgrade.fault.ts',
  'tests/faults/power-cut.fault.ts',
  'tests/faults/many-processes.fault.ts',
]

const isShort = ({ moduleId }: TestSpecification): number =>
  long.some((file) => moduleId.endsWith(`/${file}`)) ? 0 : 1

export class LongOnesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).toSorted((a, b) => isShort(a) - isShort(b))
  }
}
