import type { NameGroups } from '#server/use-cases/deliveries/name-groups.ts'
import type { ManageJobs } from '#server/use-cases/jobs/manage-jobs.ts'
import type { LeadArchive } from '#server/use-cases/leads/read-leads.ts'
import type { May } from '#server/use-cases/operators/authorise.ts'
import type { SessionNoticeCookie } from '../../session-notice.ts'
import type { ShellOf } from '../../shell-of.ts'
import type { KnownProgram } from '../leads/filter-form.ts'

export interface JobsPorts {
  readonly shellOf: ShellOf
  readonly notice: SessionNoticeCookie
  readonly may: May
  readonly manageJobs: ManageJobs
  readonly archive: Pick<LeadArchive, 'list'>
  /** Those on offer now. */
  readonly programs: () => readonly KnownProgram[]
  readonly nameGroups: NameGroups
  readonly clock: () => number
}
