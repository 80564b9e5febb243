import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { describe, expect, inject, onTestFinished, test } from 'vitest'
import { openStore } from '#server/store/open-store.ts'
import { runLeads } from '#tests/cli/run-leads.ts'
import { sayVerb } from '#tests/cli/say-verb.ts'
import { freshDatabase } from '#tests/postgres/fresh-database.ts'
import { attemptUnreadable } from '#tests/store/attempt-unreadable.ts'
import { exampleArrival } from '#tests/store/example-arrival.ts'
import { useKeptStores } from '#tests/store/kept-stores.ts'
import { storeLeadOfEachStatus } from '#tests/store/lead-of-each-status.ts'
import { runInStore } from '#tests/store/run-in-store.ts'
import { sqlitePlace } from '#tests/store/store-places.ts'

/** Matches output that names the store and contains nothing else. */
const onlyStoreLine = /^Store: [^\n]+\n\n$/

describe('the command line', () => {
  const place = useKeptStores(sqlitePlace)
  const leads = (...args: string[]) => sayVerb(place.settings(), args)
  const jsonOf = async (...args: string[]) => JSON.parse((await leads(...args, '--json')).stdout)

  test('an affiliate’s cap is set and shown; an invalid cap is refused', async () => {
    await place.open()
    expect(await leads('affiliates', 'set', 'a7', '--cap', '5/week')).toMatchObject({ code: 2 })
    expect(await jsonOf('affiliates', 'list')).toMatchObject({ affiliates: [] })
    const days = ['--from', '2026-11-02', '--to', '2026-11-01']
    expect(await leads('affiliates', 'list', ...days)).toMatchObject({ code: 2 })
    expect(await leads('affiliates', 'list', '--from', '9999-12-31')).toMatchObject({ code: 2 })
    await leads('affiliates', 'set', 'a7', '--cap', '5/day')
    expect(await jsonOf('affiliates', 'show', 'a7')).toMatchObject({
      caps: [{ affiliate: 'a7', maxLeads: 5, period: 'day', used: 0, held: 0 }],
    })
  })

  test('a postback without a macro is refused, unless a former release has stored it', async () => {
    const set = (...options: string[]) => leads('affiliates', 'set', 'a9', ...options)
    const stored = async () =>
      (await jsonOf('affiliates', 'list')).affiliates.find(
        ({ name }: { name: string }) => name === 'a9',
      )
    const refused = await set('--postback', 'http://127.0.0.1:9/paid?key=1')
    expect(refused).toMatchObject({ code: 2 })
    expect(refused.stderr).toContain('--postback: The URL has no macro')
    expect(await stored()).toBeUndefined()
    expect(await set('--payout', '3')).toMatchObject({ code: 0 })
    const { db } = (await place.open()).operators
    await db
      .updateTable('affiliates')
      .set({ postback_url: 'http://127.0.0.1:9/paid?key=1' })
      .execute()
    expect(await set('--payout', '4')).toMatchObject({ code: 0 })
    expect(await stored()).toMatchObject({ postbackUrl: 'http://127.0.0.1:9/paid?key=1' })
    const foreign = await set('--postback', 'http://127.0.0.1:9/?c=[sub_id]')
    expect(foreign).toMatchObject({ code: 2 })
    expect(foreign.stderr).toContain('The URL has no macro')
    expect(await set('--postback', 'http://127.0.0.1:9/?c=%7Bsub_id%7D')).toMatchObject({ code: 0 })
    expect(await stored()).toMatchObject({ postbackUrl: 'http://127.0.0.1:9/?c={sub_id}' })
    await leads('affiliates', 'remove', 'a9')
  })

  test('affiliates are set, listed, shown and removed; errors name the option', async () => {
    const store = await place.open()
    for (const subId of ['a7', 'a8', 'b1']) {
      await store.intake.accept(exampleArrival({ subId, receivedAt: Date.now() - 1000 }))
    }
    const wrong = await leads('affiliates', 'set', 'a7', '--payout', 'ten', '--name', '')
    expect(wrong).toMatchObject({ code: 2, stdout: expect.stringMatching(onlyStoreLine) })
    expect(wrong.stderr).toMatch(/--name: .*\n--payout: .*\nNothing was changed/)
    expect((await jsonOf('affiliates', 'list')).affiliates).toEqual([])
    await leads('affiliates', 'set', 'a7', '--name', 'Acme', '--cap', '5/day')
    await store.operators.db
      .insertInto('affiliate_ids')
      .columns(['affid', 'affiliate_id'])
      .expression((of) =>
        of.selectFrom('affiliates').select((value) => [value.val('a8').as('affid'), 'id']),
      )
      .execute()
    await leads('affiliates', 'set', 'a7', '--payout', '12.5')
    const { affiliates, unknown } = await jsonOf('affiliates', 'list')
    expect(affiliates).toMatchObject([{ name: 'Acme', ids: ['a7', 'a8'], leads: 2, owedCents: 0 }])
    expect(unknown).toEqual([{ id: 'b1', visits: 0, leads: 1 }])
    expect((await leads('affiliates', 'list')).stdout).toMatch(/^Acme +a7 a8 +2 +too few to tell/m)
    expect(await jsonOf('affiliates', 'show', 'a8')).toMatchObject({
      ...{ name: 'Acme', now: { leads: 2, accepted: 0 }, earlier: { leads: 0 } },
      caps: [{ maxLeads: 5, period: 'day' }],
      noComparison: expect.stringMatching(
        /^No comparison: there is no visit yet, and the first lead/,
      ),
    })
    const { stdout: shown } = await leads('affiliates', 'show', 'a8')
    expect(shown).toMatch(/^Waiting +2 +–$/m)
    expect(shown).toMatch(/^No comparison: there is no visit yet, and the first lead is from /m)
    const old = exampleArrival({ subId: 'a8', receivedAt: Date.now() - 70 * 24 * 3_600_000 })
    await store.intake.accept(old)
    const { stdout: compared } = await leads('affiliates', 'show', 'a8')
    expect(compared).toMatch(/^Waiting +2 +0$/m)
    expect(compared).toMatch(/^Visits +0 +–$/m)
    expect(compared).toMatch(/^No comparison of visits: there is no visit yet\.$/m)
    expect(shown).toContain('\nCap: affiliate Acme: 5 leads a day (0 used, 0 held)\n')
    const removed = await leads('affiliates', 'remove', 'a7')
    expect(removed.stdout).toContain('Its caps held 0 leads')
    const [entry] = await jsonOf('audit', '--action', 'removed an affiliate')
    expect(entry).toMatchObject({ target: 'Acme' })
    expect(entry.changes).toContainEqual(['payout', '12.50', ''])
    expect((await leads('audit')).stdout).toContain('cap 1: affiliate Acme: 5 leads a day → none')
    expect(await store.operators.db.selectFrom('caps').selectAll().execute()).toEqual([])
    expect(await leads('affiliates', 'show', 'a8')).toMatchObject({ code: 1 })
  })

  test('list, show and stats report the same data as text and as JSON', async () => {
    const ids = await storeLeadOfEachStatus(await place.open())
    expect((await leads('list', '--status', 'dead')).stdout).toContain(ids.dead)
    expect(await jsonOf('list', '--status', 'dead')).toMatchObject([{ id: ids.dead }])
    const elsewhere = ['--source', 'nowhere', '--campaign', 'spring sale']
    expect(await jsonOf('list', ...elsewhere)).toEqual([])
    expect((await leads('export', ...elsewhere, '--json')).stdout).toBe('')
    const inAnyCase = [
      '--affiliate',
      'AFFILIATE 7',
      '--source',
      'News',
      '--campaign',
      'Spring SALE',
    ]
    const { stdout: exported } = await leads('export', ...inAnyCase, '--json')
    expect(exported).toContain(ids.dead)
    const firstPage = await leads('list', '--take', '2')
    expect(firstPage.stdout).toContain('There may be more leads: add --take 4')
    expect((await leads('show', ids.dead)).stdout).toContain('dead@example.com')
    expect(await jsonOf('show', ids.erased)).toMatchObject({ lead: { id: ids.erased } })
    expect((await leads('show', ids.erased)).stdout).toMatch(/^erased_by +request$/m)
    // The audit log names each lead that was shown, once. An erased lead has no personal data to show.
    const looked = await jsonOf('audit', '--action', 'revealed a lead')
    expect(looked).toMatchObject([
      { subject: ids.dead, via: 'command line', who: userInfo().username, outcome: 'shown' },
    ])
    const listed = await jsonOf('audit', '--action', 'listed leads')
    expect(listed).toMatchObject([
      { subject: 'all', outcome: '2 shown' },
      { subject: 'source=nowhere&campaign=spring%20sale', outcome: '0 shown' },
      { subject: 'status=dead', outcome: '1 shown' },
      { subject: 'status=dead', outcome: '1 shown' },
    ])
    const { dataDir } = place.settings()
    const said = `Store: ${dataDir}/leads.sqlite (9 leads; no server is using it)\n`
    const { stdout: stats } = await leads('stats')
    expect(stats.startsWith(said)).toBe(true)
    expect(stats).toMatch(
      /\nall +9\n\nDeliveries: 1 attempt failed since .*, and the distributor accepted none/,
    )
    const asJson = await leads('stats', '--json')
    expect(asJson.stderr).toBe(said)
    expect(JSON.parse(asJson.stdout)).toMatchObject({
      leads: 9,
      breaker: { pause: null, trip: null },
    })
  })

  test('control characters in a visitor’s text are escaped', async () => {
    const store = await place.open()
    const typed = { firstName: 'A\u009b2Jda', lastName: '\u202egnp.\u200bexe' }
    const { consent } = exampleArrival().lead
    const arrival = exampleArrival({ ...typed, consent: { ...consent, userAgent: '\u009b31m' } })
    await store.intake.accept(arrival)
    for (const args of [
      ['list'],
      ['show', arrival.lead.id],
      ['show', arrival.lead.id, '--json'],
      ['export', '--format', 'csv'],
      ['export', '--format', 'jsonl'],
      ['show', typed.lastName],
    ]) {
      const { stdout, stderr } = await leads(...args)
      const said = stdout + stderr
      expect(said, args.join(' ')).toContain('\\u202egnp.\\u200bexe')
      expect(said.replaceAll(/\r?\n/g, ''), args.join(' ')).not.toMatch(
        /[\p{Cc}\p{Bidi_Control}\u200b]/u,
      )
    }
  })

  test('retry makes deliveries due if possible, and says why not for the others', async () => {
    const store = await place.open()
    const ids = await storeLeadOfEachStatus(store)
    expect(await leads('retry', ids.dead)).toMatchObject({ code: 0, stderr: '' })
    const delivered = await leads('retry', ids.delivered)
    expect(delivered).toMatchObject({ code: 1, stdout: expect.stringMatching(onlyStoreLine) })
    expect(delivered.stderr).toContain('Nothing was changed')
    const duplicate = await leads('retry', ids.duplicate)
    expect(duplicate.stderr).toContain(ids.delivered)
    expect(await jsonOf('retry', '--rejected-by-cap')).toMatchObject({ retried: 1 })
    expect((await leads('retry', '--all-dead')).stdout).toContain('due now: 0 done')
    expect(await leads('retry')).toMatchObject({ code: 2 })
    expect(await leads('retry', ids.dead, '--all-dead')).toMatchObject({ code: 2 })
  })

  test('a quarantined lead is shown with its signals, and is delivered after release', async () => {
    const store = await place.open()
    const { quarantined } = await storeLeadOfEachStatus(store)
    expect((await leads('list', '--quarantined')).stdout).toMatch(/too-fast +[\da-f-]{36}\n$/)
    expect(await jsonOf('list', '--quarantined')).toMatchObject([
      { id: quarantined, status: 'quarantined', signals: ['too-fast'] },
    ])
    expect((await leads('show', quarantined)).stdout).toContain('illed in within two seconds')
    expect((await leads('retry', quarantined)).stderr).toContain('in quarantine')
    const released = await leads('release', quarantined)
    expect(released).toMatchObject({ code: 0, stderr: '' })
    expect(released.stdout).toContain('the delivery is due now')
    expect(await jsonOf('show', quarantined)).toMatchObject({
      status: 'pending',
      signals: ['too-fast'],
      releasedAt: expect.any(Number),
    })
    expect(await leads('release', quarantined)).toMatchObject({ code: 1 })
    const [act] = await jsonOf('audit', '--action', 'released a lead')
    expect(act).toMatchObject({ subject: quarantined, outcome: 'due' })
    // Four of the five entries are reads: two of the list and two of a lead. The refused actions have no entry.
    expect(await jsonOf('audit', '--who', act.who, '--from', '1h')).toHaveLength(5)
    expect(await jsonOf('audit', '--who', 'nobody')).toEqual([])
    expect(await leads('audit', '--who', 'nobody@example.edu')).toMatchObject({ code: 1 })
    expect((await leads('release', '--all')).stdout).toContain('Released from quarantine: 0 done')
    expect((await leads('release', 'nobody')).stderr).toContain('There is no such lead')
    expect(await leads('release')).toMatchObject({ code: 2 })
  })

  test('the release of a listed person’s lead needs an option that says so', async () => {
    const store = await place.open()
    const { quarantined } = await storeLeadOfEachStatus(store)
    await leads('do-not-contact', 'add', '--email', 'quarantined@example.com')
    const refused = await leads('release', quarantined)
    expect(refused).toMatchObject({ code: 1 })
    expect(refused.stderr).toContain('add --despite-do-not-contact')
    expect(await jsonOf('show', quarantined)).toMatchObject({ status: 'quarantined' })
    expect(await leads('release', '--all', '--despite-do-not-contact')).toMatchObject({ code: 2 })
    await leads('release', quarantined, '--despite-do-not-contact')
    expect(await jsonOf('show', quarantined)).toMatchObject({ status: 'pending' })
  })

  test('release --all asks no question without a terminal', async () => {
    const store = await place.open()
    for (const email of ['a@example.com', 'b@example.com', 'a@example.com']) {
      const suspicion = { signals: ['no-proof'], isQuarantined: true } as const
      await store.intake.accept({ ...exampleArrival({ email }), ...suspicion })
    }
    const { stdout } = await runLeads(place.settings(), ['release', '--all', '--json'])
    expect(JSON.parse(stdout)).toEqual({ due: 2, duplicates: 1 })
    expect(await jsonOf('list', '--quarantined')).toEqual([])
  })

  test('pause applies to the whole store, stats reports it, and resume ends it', async () => {
    const store = await place.open()
    const paused = await leads('pause', '--reason', 'moving house')
    expect(paused).toMatchObject({ code: 0 })
    expect(paused.stdout).toContain('No server uses this store now')
    expect(await store.breaker.read()).toMatchObject({
      pause: { reason: 'moving house' },
    })
    expect((await leads('stats')).stdout).toMatch(/Deliveries: paused since .* \(moving house\)/)
    const resumed = await leads('resume', '--reason', 'moved')
    expect(resumed.stdout).toContain('No server uses this store now')
    expect((await store.breaker.read()).pause).toBeNull()
    expect(await jsonOf('resume')).toEqual({ paused: false, ended: false })
    const { stdout: restored } = await leads('restored')
    expect(restored).toContain('No waiting lead can have been delivered')
    expect(restored).not.toContain('list --restored')
  })

  test('export writes the same to stdout and to a private file', async () => {
    await storeLeadOfEachStatus(await place.open())
    const folder = await mkdtemp(join(tmpdir(), 'export-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    const output = join(folder, 'leads.csv')
    expect(await jsonOf('export', '--output', output)).toEqual({ leads: 9, output })
    expect((await stat(output)).mode & 0o777).toBe(0o600)
    expect(await readFile(output, 'utf8')).toBe((await leads('export')).stdout)
    const delivered = await leads('export', '--format', 'jsonl', '--status', 'delivered')
    expect(JSON.parse(delivered.stdout)).toMatchObject({ status: 'delivered' })
  })

  test('erase removes all personal data, and asks no question without a terminal', async () => {
    const store = await place.open()
    await store.intake.accept(exampleArrival({ email: 'Ada@Example.com' }))
    expect((await leads('export')).stdout).toContain('Ada@Example.com')
    const erased = await runLeads(place.settings(), ['erase', '--email', 'ada@example.com'])
    expect(erased).toMatchObject({ code: 0 })
    expect(erased.stdout).toContain('in 1 lead is erased.\n1 delivery is canceled.')
    expect((await leads('export')).stdout).not.toMatch(/Ada|Zoë|203\.0\.113/)
    const again = await leads('erase', '--email', 'ada@example.com', '--yes')
    expect(again).toMatchObject({ code: 1, stdout: expect.stringMatching(onlyStoreLine) })
    expect(again.stderr).toContain('No lead has this email address')
    for (const action of ['erased personal data', 'erased a person']) {
      const audit = await leads('audit', '--action', action)
      expect(audit.stdout).toMatch(/ erased personal data .* 1 lead /)
      expect(await jsonOf('audit', '--action', action)).toContainEqual(
        expect.objectContaining({ action: 'erased a person', outcome: '1 lead' }),
      )
    }
    const unknown = await leads('audit', '--action', 'erased')
    expect(unknown).toMatchObject({ code: 2 })
    expect(unknown.stderr).toMatch(/Allowed choices are .*, erased personal data, /)
  })

  test('erase by an email address with several phone numbers needs --yes without a terminal', async () => {
    const store = await place.open()
    const ids: string[] = []
    for (const phone of ['9415550201', '9415550202', '9415550202']) {
      const arrival = exampleArrival({ email: 'shared@example.com', phone, firstName: phone })
      await store.intake.accept(arrival)
      ids.push(arrival.lead.id)
    }
    const refused = await leads('erase', '--email', 'Shared@example.com')
    expect(refused).toMatchObject({ code: 1 })
    expect(refused.stderr).toContain('3 leads with 2 different phone numbers')
    for (const id of ids) expect(refused.stderr).toContain(id)
    expect(await jsonOf('list', '--status', 'erased')).toEqual([])
    expect(await jsonOf('erase', '--id', ids[0] ?? '')).toMatchObject({ leads: 1 })
    expect(await jsonOf('erase', '--email', 'shared@example.com')).toMatchObject({ leads: 2 })
    expect(await leads('erase', '--email', 'shared@example.com', '--yes')).toMatchObject({
      code: 1,
    })
    expect(await jsonOf('audit', '--action', 'erased personal data')).toHaveLength(2)
  })

  test('erase --yes erases the leads of an email address with several phone numbers', async () => {
    const store = await place.open()
    for (const phone of ['9415550201', '9415550202']) {
      await store.intake.accept(exampleArrival({ email: 'shared@example.com', phone }))
    }
    const erased = await leads('erase', '--email', 'shared@example.com', '--yes')
    expect(erased.stdout).toContain('in 2 leads is erased.')
  })

  test('a lead and its correction name each other; erase by a reference number names the person’s other leads', async () => {
    const store = await place.open()
    const accept = (firstName: string) =>
      store.intake.accept(exampleArrival({ email: 'ada@example.com', firstName }, 'the-key'))
    const [{ id: first }, { id: second }] = [await accept('Ada'), await accept('Bea')]
    expect(await jsonOf('list')).toMatchObject([
      { id: second, corrects: first, correctedBy: [] },
      { id: first, corrects: null, correctedBy: [second] },
    ])
    const { stdout: listed } = await leads('list')
    expect(listed).toMatch(
      new RegExp(`corrects ${first} +${second}\n.*corrected by ${second} +${first}`),
    )
    expect((await leads('show', second)).stdout).toMatch(new RegExp(`corrects +${first}\n`))
    expect((await leads('show', first)).stdout).toMatch(new RegExp(`corrected_by +${second}\n`))
    const { stdout: exported } = await leads('export', '--format', 'jsonl')
    expect(
      exported
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toMatchObject([
      { id: first, corrects: null, corrected_by: second },
      { id: second, corrects: first, corrected_by: null },
    ])

    expect(await jsonOf('erase', '--id', first)).toMatchObject({
      leads: 1,
      stopped: 1,
      linked: [second],
    })
    expect(await leads('erase', '--id', first)).toMatchObject({ code: 1 })
    expect((await leads('erase', '--id', second)).stdout).not.toContain('Not erased')
    expect(await leads('erase')).toMatchObject({ code: 2 })
  })

  test('retain counts expired leads, and erases them only with --yes', async () => {
    const ids = await storeLeadOfEachStatus(await place.open())
    const looked = await leads('retain', '--days', '1', '--dry-run')
    expect(looked).toMatchObject({ code: 0 })
    expect(looked.stdout).toMatch(
      /delivered +1\nrejected +1\ndead +1\ndo-not-contact +1\nnot owed +2\n/,
    )
    expect(await jsonOf('retain', '--days', '1', '--dry-run')).toEqual({
      days: 1,
      leads: { delivered: 1, rejected: 1, dead: 1, 'do-not-contact': 1, 'not owed': 2 },
      stillOwed: 2,
      consents: 0,
    })
    expect(await leads('retain', '--yes')).toMatchObject({ code: 2 })
    expect(await leads('retain', '--days', '1')).toMatchObject({ code: 2 })
    expect(await leads('retain', '--days', '1', '--yes', '--dry-run')).toMatchObject({ code: 2 })
    expect((await leads('show', ids.dead)).stdout).toContain('dead@example.com')
    expect(await jsonOf('retain', '--days', '1', '--yes')).toMatchObject({ leads: 6, consents: 0 })
    expect(await jsonOf('audit', '--action', 'erased old leads')).toMatchObject([
      { subject: 'older than 1 day', outcome: '6 leads' },
    ])
    const shown = (await leads('show', ids.dead)).stdout
    expect(shown).toMatch(/^consent_ip +203\.0\.113\.7$/m)
    expect(shown).not.toMatch(/dead@|Zoë/)
    expect((await leads('retain', '--days', '1', '--yes')).stdout).toContain(
      'Nothing was erased: no lead is old enough. The limit is 1 day.',
    )
    expect((await leads('stats')).stdout).toContain('Erased: 1 on request, 6 by retention')
  })

  test('migrate-to copies, says what comes next, and never shows the password', async () => {
    // The command runs in a second process, because a process cannot see its own file locks, which show who uses the
    // store.
    const leads = (...args: string[]) => runLeads(place.settings(), args)
    const store = await place.open()
    await storeLeadOfEachStatus(store)
    const { url, drop } = await freshDatabase(inject('postgresUrl'))
    onTestFinished(drop)
    const inUse = await leads('migrate-to', url)
    expect(inUse).toMatchObject({ code: 1 })
    expect(inUse.stderr).toContain('open. Nothing was copied. Stop that process')
    await store.close()
    const copied = await leads('migrate-to', url)
    expect(copied).toMatchObject({ code: 0 })
    expect(copied.stdout).toMatch(/leads +9\n.*Next: set DATABASE_URL/s)
    const again = await leads('migrate-to', url, '--json')
    expect(JSON.parse(again.stdout)).toMatchObject({ kind: 'already there' })
    const away = await leads('migrate-to', Object.assign(new URL(url), { port: '1' }).href)
    expect(away).toMatchObject({ code: 69 })
    for (const { stdout, stderr } of [inUse, copied, again, away]) {
      expect(stdout + stderr).not.toContain(new URL(url).password)
    }
  })

  test('changes to an operator are reported in sentences', async () => {
    await place.open()
    await leads('operators', 'add', 'ada@example.com', '--role', 'admin')
    const change = async (...args: string[]) => (await leads('operators', ...args)).stdout
    expect(await change('disable', 'Ada@Example.com')).toContain(
      'Disabled ada@example.com, from the operator’s next request on.',
    )
    expect(await change('role', 'ada@example.com', 'viewer')).toContain('the role viewer, from')
    expect(await change('unlink', 'ada@example.com')).toContain(
      'ada@example.com was not linked to an account at the single sign-on provider. Nothing was',
    )
  })

  test('wrong usage is reported', async () => {
    const isTold = expect.stringContaining('Add --help')
    expect(await leads('unknown')).toMatchObject({ code: 2, stderr: isTold })
    expect(await leads('list', '--unknown')).toMatchObject({ code: 2, stderr: isTold })
    expect(await leads('list', '--since', 'some day')).toMatchObject({ code: 2 })
    expect(await leads('settle', 'jane@example.org', '--as', 'delivered')).toMatchObject({
      code: 1,
    })
    expect((await leads('audit', '--json')).stdout).not.toContain('jane@')
  })

  test('the exit code matches the output on stdout and stderr', async () => {
    const { delivered } = await storeLeadOfEachStatus(await place.open())
    for (const args of [
      ['stats', '--json'],
      ['retry', delivered],
      ['list', '--since', 'some day'],
    ]) {
      const { code, stdout, stderr } = await runLeads(place.settings(), args)
      const said = await leads(...args)
      expect({ code, stderr }).toEqual({ code: said.code, stderr: said.stderr })
      expect(stdout.replace(/"oldestPendingAgeMs": \d+/, '')).toBe(
        said.stdout.replace(/"oldestPendingAgeMs": \d+/, ''),
      )
    }
  })

  test('every command names an unreadable lead and continues', async () => {
    const store = await place.open()
    const ids = await storeLeadOfEachStatus(store)
    const damage = (id: string, set: string) =>
      runInStore(place.settings(), `update leads set ${set} where id = '${id}'`)
    await damage(ids.pending, `payload = '{"firstName":"Zoë"}'`)
    await damage(ids.duplicate, `email = '', payload = ''`)
    expect((await leads('list')).stdout).toMatch(new RegExp(`unreadable +– .*${ids.pending}`))
    const shown = (await leads('show', ids.pending)).stdout
    expect(shown).toMatch(
      /Unreadable: its stored answers cannot be read \(lastName, phone, .*program, startDate, subId,/,
    )
    expect(shown).toContain('pending@example.com')
    expect(shown).not.toContain('Zoë')
    expect((await leads('export')).stdout.split('\r\n')).toHaveLength(11)
    const nobody = await leads('erase', '--email', 'nobody@example.com')
    expect(nobody.code).toBe(1)
    expect(nobody.stderr).toMatch(/^No readable lead has this email address/)
    expect(nobody.stderr).toContain(
      `Not searched: 1 lead whose email address cannot be read (${ids.duplicate})`,
    )
    const listed = await leads('list', '--email', 'dead@example.com')
    expect(listed.stdout).toContain(ids.dead)
    expect(listed.stderr).toContain(ids.duplicate)
    const later = Date.now()
    const claim = { now: later, leaseUntil: later + 60_000, limit: 10 }
    const claimed = await store.queue.claimDue(claim)
    for (const delivery of claimed.filter(({ lead }) => lead.id === ids.pending)) {
      await attemptUnreadable(store, delivery, later)
    }
    expect((await leads('stats')).stdout).toContain('cannot be read: 1 (“list --unreadable”)')
    expect((await leads('list', '--unreadable')).stdout).toContain(ids.pending)
    const retried = await leads('retry', ids.pending)
    expect(retried).toMatchObject({ code: 1, stdout: expect.stringMatching(onlyStoreLine) })
    expect(retried.stderr).toContain('cannot be read')
    expect((await leads('retry', '--all-dead')).stdout).toContain('1 skipped')
    expect(await leads('settle', ids.pending, '--as', 'rejected')).toMatchObject({ code: 0 })
    expect((await leads('erase', '--email', 'pending@example.com')).stdout).toContain(
      'in 1 lead is erased.',
    )
    expect((await leads('show', ids.pending)).stdout).toMatch(/^status +erased$/m)
  })

  test('works on PostgreSQL if DATABASE_URL is set', async () => {
    const { url, drop } = await freshDatabase(inject('postgresUrl'))
    onTestFinished(drop)
    const settings = { dataDir: 'unused', databaseUrl: url }
    const store = await openStore(settings)
    await store.migrate()
    await store.close()
    const stats = await runLeads(settings, ['stats', '--json'])
    expect(JSON.parse(stats.stdout)).toMatchObject({ leads: 0 })
  })
})
