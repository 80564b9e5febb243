import type { NameGroups } from '#server/delivery/name-groups.ts'
import type { ManageJobs } from '#server/jobs/manage-jobs.ts'
import type { LeadArchive } from '#server/leads/read-leads.ts'
import type { May } from '#server/operators/authorise.ts'
import type { KnownProgram } from '../leads/filter-form.ts'
import type { SessionNoticeCookie } from '../session-notice.ts'
import type { ShellOf } from '../shell-of.ts'

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
