import { describe, expect, test } from 'vitest'
import { makeJobs } from '#server/jobs/jobs.ts'
import { sayVerb } from '#tests/cli/say-verb.ts'
import { askStore } from '#tests/store/ask-store.ts'
import { exampleArrival } from '#tests/store/example-arrival.ts'
import { sqlitePlace, usePlace } from '#tests/store/store-places.ts'
import { findCliActor } from './store.ts'

describe('the command jobs', () => {
  const place = usePlace(sqlitePlace)
  const leads = (...args: string[]) => sayVerb(place.settings(), args)

  test('jobs are listed, shown and canceled in the name of the system’s user', async () => {
    const store = await place.open()
    expect((await leads('jobs', 'list')).stdout).toContain('No jobs yet.')

    const { database } = store
    const jobs = makeJobs(database, { clock: Date.now, onWork: () => undefined })
    const ada = { kind: 'command line', user: 'ada' } as const
    const id = await jobs.plan(ada, { action: 'retry', query: 'status=dead' })
    expect((await leads('jobs', 'list')).stdout).toMatch(
      new RegExp(`${id} +retry of status=dead +planning +ada`),
    )
    expect((await leads('jobs', 'show', id)).stdout).toContain('retry of status=dead: planning')
    const shown = JSON.parse((await leads('jobs', 'show', id, '--json')).stdout)
    expect(shown).toMatchObject({ id, action: 'retry', standing: 'planning', done: 0 })

    expect(await leads('jobs', 'cancel', id)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(`Job ${id} is canceled: 0 done.`),
    })
    const ended = JSON.parse((await leads('jobs', 'show', id, '--json')).stdout)
    expect(ended).toMatchObject({ id, standing: 'cancelled' })
    const again = await leads('jobs', 'cancel', id)
    expect(again.code).toBe(1)
    expect(again.stderr).toContain('has already ended. Nothing was changed.')
    const [act] = await askStore(
      place.settings(),
      `select via, subject, outcome from audit left join audit_outcomes on audit_id = audit.id
     where action = 'cancelled a job' order by audit.id`,
    )
    expect(act).toEqual({
      via: 'command line',
      subject: id,
      outcome: 'canceled, before it was started',
    })
  })

  test('a job that would be the 21st unfinished one is refused with advice, and an ended job names its results', async () => {
    const store = await place.open()
    await store.intake.accept(exampleArrival())
    const user = findCliActor()
    const jobs = makeJobs(store.database, {
      clock: Date.now,
      onWork: () => undefined,
    })
    const start = { reason: 'to fill the list', rate: 1 }
    const ids: string[] = []
    for (let count = 0; count < 20; count++) {
      ids.push(await jobs.run(user, { action: 'retry', query: 'status=dead' }, start))
    }
    const refused = await leads('retry', '--all-dead')
    expect(refused).toMatchObject({ code: 1 })
    expect(refused.stderr, 'no stack').not.toMatch(/^ +at /m)
    expect(refused.stderr).toMatch(/20 unfinished jobs.*cancel a job/)
    for (const id of ids) await leads('jobs', 'cancel', id)

    await store.database.db
      .updateTable('deliveries')
      .set({ settled_as: 'dead', settled_at: 1 })
      .execute()
    expect((await leads('retry', '--all-dead')).stdout).toContain('Deliveries due now: 1 done')
    const [{ id }] = JSON.parse((await leads('jobs', 'list', '--json')).stdout)
    expect((await leads('jobs', 'show', id)).stdout).toMatch(/done +1 +due at once/)
  })

  test.each(['show', 'cancel'])('%s reports an unknown job', async (verb) => {
    await place.open()
    const { code, stderr } = await leads('jobs', verb, 'ada@example.com')
    expect(code).toBe(1)
    expect(stderr).toContain('No job has the id')
  })
})
