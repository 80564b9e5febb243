import { expect, onTestFinished, test } from 'vitest'
import { readSettings } from '#server/config/read-settings.ts'
import { exampleDistributorLead } from '#tests/distributor/example-distributor-lead.ts'
import {
  httpReply,
  type Misbehaviour,
  startHostileServer,
} from '#tests/third-parties/hostile-server.ts'
import { makeThirdPartyClients } from './third-parties.ts'

async function serve(misbehave: Misbehaviour): Promise<string> {
  const { url, stop } = await startHostileServer(misbehave)
  onTestFinished(stop)
  return url
}

test.each([301, 302, 303, 307, 308])(
  'a redirect (%i) of a third party is not followed, because it could leak a key or a lead',
  async (status) => {
    const read = readSettings({ IP_LOOKUP_URL: undefined })
    if (!read.ok) throw new Error(read.faults.join('\n'))
    const followed: string[] = []
    const elsewhere = await serve((socket, request) => {
      followed.push(request)
      socket.end(httpReply(200, '{}'))
    })
    const asked: string[] = []
    const thirdParty = await serve((socket, request) => {
      asked.push(request)
      socket.end(httpReply(status, '', { location: `${elsewhere}/` }))
    })
    const { validateAddress, lookUpZip, lookUpIp, distributor } = makeThirdPartyClients(
      read.settings,
      thirdParty,
      () => undefined,
    )

    expect(await validateAddress('123 Main St', '34236')).toMatchObject({ kind: 'unavailable' })
    expect(await lookUpZip('34236')).toMatchObject({ kind: 'unavailable' })
    expect(await lookUpIp('203.0.113.7')).toBeUndefined()
    const sent = await distributor.send(
      exampleDistributorLead(),
      'key',
      new AbortController().signal,
    )
    expect(sent.outcome.name).toBe('broken')
    expect(asked.length).toBeGreaterThanOrEqual(4)
    expect(followed).toEqual([])
  },
)

test('military ZIP codes and PO boxes are valid addresses although no map has them', async () => {
  const read = readSettings({})
  if (!read.ok) throw new Error(read.faults.join('\n'))
  const serviceWithoutResults = await serve((socket, request) => {
    const nothing = { status: 'ZERO_RESULTS', results: [], result: { address: {} } }
    if (request.startsWith('POST') && !request.endsWith('}')) return
    socket.end(httpReply(200, JSON.stringify(nothing)))
  })
  const { validateAddress, lookUpZip } = makeThirdPartyClients(
    read.settings,
    serviceWithoutResults,
    () => undefined,
  )
  expect(await lookUpZip('09012')).toMatchObject({ status: 'OK', city: 'APO', state: 'AE' })
  expect(await validateAddress('PSC 3 BOX 4120', '09012')).toMatchObject({
    postalAddress: { addressLines: ['PSC 3 BOX 4120'], administrativeArea: 'AE' },
  })
})
