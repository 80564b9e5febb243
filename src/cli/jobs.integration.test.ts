import { describe, expect, test } from 'vitest'
import { makeJobs } from '#server/jobs/jobs.ts'
import { sayVerb } from '#tests/cli/say-verb.ts'
import { askStore } from '#tests/store/ask-store.ts'
import { sqlitePlace, usePlace } from '#tests/store/store-places.ts'

describe('the command jobs', () => {
  const place = usePlace(sqlitePlace)
  const leads = (...args: string[]) => sayVerb(place.settings(), args)

  test('jobs are listed, shown and cancelled in the name of the system’s user', async () => {
    const store = await place.open()
    expect((await leads('jobs', 'list')).stdout).toContain('No jobs yet.')

    const { database, index: leadIndex, audit } = store
    const jobs = makeJobs(database, { leadIndex, audit, clock: Date.now, onWork: () => undefined })
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
      stdout: expect.stringContaining(`Job ${id} is cancelled: 0 done.`),
    })
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
      outcome: 'cancelled, before it was started',
    })
  })

  test.each(['show', 'cancel'])('%s reports an unknown job', async (verb) => {
    await place.open()
    const { code, stderr } = await leads('jobs', verb, 'ada@example.com')
    expect(code).toBe(1)
    expect(stderr).toContain('No job has the id')
  })
})
