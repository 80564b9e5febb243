import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Acts on many leads, and which leads those are. */
export const jobs: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('jobs')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('action', 'text', (column) => column.notNull())
      .addColumn('query', 'text', (column) => column.notNull())
      .addColumn('is_of_search', 'integer', (column) => column.notNull())
      .addColumn('search_keys', 'text')
      .addColumn('operator_id', 'text')
      .addColumn('system_user', 'text')
      .addColumn('network', 'text')
      .addColumn('phase', 'text', (column) => column.notNull())
      .addColumn('planned_at', 'bigint', (column) => column.notNull())
      .addColumn('plan', 'text', (column) => column.notNull())
      .addColumn('reason', 'text')
      .addColumn('rate', 'integer', (column) => column.notNull())
      .addColumn('started_at', 'bigint')
      .addColumn('reached_at', 'bigint')
      .addColumn('reached_id', 'text')
      .addColumn('members', 'integer', (column) => column.notNull().defaultTo(0))
      .addColumn('done', 'integer', (column) => column.notNull().defaultTo(0))
      .addColumn('report', 'text', (column) => column.notNull().defaultTo('{}'))
      .addColumn('running_since', 'bigint')
      .addColumn('running_from', 'integer', (column) => column.notNull().defaultTo(0))
      .addColumn('paused_at', 'bigint')
      .addColumn('cancelled_at', 'bigint')
      .addColumn('ended_at', 'bigint')
      .addColumn('members_removed_at', 'bigint')
      .addColumn('lease', 'text')
      .addColumn('leased_until', 'bigint')
      .execute()
    await db.schema
      .createIndex('jobs_under_way')
      .on('jobs')
      .column('id')
      .where(sql.ref('ended_at'), 'is', null)
      .execute()
    await db.schema
      .createIndex('jobs_with_members')
      .on('jobs')
      .column('ended_at')
      .where(sql.ref('members_removed_at'), 'is', null)
      .execute()
    await db.schema
      .createTable('job_members')
      .addColumn('job_id', 'text', (column) => column.notNull().references('jobs.id'))
      .addColumn('position', 'integer', (column) => column.notNull())
      .addColumn('lead_id', 'text', (column) => column.notNull())
      .addColumn('outcome', 'text')
      .addColumn('detail', 'text')
      .addColumn('at', 'bigint')
      .addPrimaryKeyConstraint('job_members_place', ['job_id', 'position'])
      .execute()
    // Which they were is asked for by what came of them.
    await db.schema
      .createIndex('job_members_outcome')
      .on('job_members')
      .columns(['job_id', 'outcome', 'position'])
      .where(sql.ref('outcome'), 'is not', null)
      .execute()
    // Ids grow with the time, and members are written in its order: each comes to the index's end.
    await db.schema.createIndex('job_members_of_lead').on('job_members').column('lead_id').execute()
  },
}
