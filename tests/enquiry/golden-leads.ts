import type { Program } from '#domain/catalogue/catalogue.ts'
import type { Lead } from '#domain/lead/lead.ts'
import { type CheckedEnquiry, makeLead } from '#server/enquiries/submit-enquiry.ts'
import type { Reply } from '#server/platform/http/replies.ts'
import type { RequestHead } from '#server/platform/http/request-head.ts'
import { makeLeadHandler } from '#site/api/lead-handler.ts'

const now = Date.UTC(2026, 10, 22, 15, 30)

const program = (id: number, facts: Pick<Program, 'name' | 'types' | 'degreeType'>): Program => ({
  ...{ id, active: id === 8 },
  ...facts,
})

const programs: readonly Program[] = [
  program(8, { name: 'M.B.A.', types: ['Business'], degreeType: 'Masters' }),
  program(12, { name: 'B.S. Nursing, RN', types: ['Healthcare'], degreeType: 'Bachelors' }),
  program(31, { name: 'M.A. Teaching', types: ['Education'], degreeType: 'Masters' }),
]

const ada = {
  ...{ firstName: 'Ada', lastName: 'Lovelace', phone: '(941) 555-0100', email: 'ada@example.com' },
  ...{ address: '1 Palm Avenue', zip: '34236', city: 'Sarasota', state: 'FL' },
  ...{ educationLevel: 791, graduatingYear: 2012, programId: 8, startDate: 'immediately' },
}

/** Requests as browsers of release 0.3.0 send them. */
export const goldenRequests = [
  {
    lead: ada,
    consent: true,
    category: 'business',
    subId: 'P-7',
    addressVerified: true,
    zipPlus4: '34236-5610',
    remarks: '',
    attribution: 'utm_source=google&gclid=click1 utm_source=news&utm_campaign=spring+sale',
    filledInMs: 90_000,
    device: 'phone',
  },
  {
    lead: {
      ...ada,
      ...{ firstName: 'Zoe\u0308 ', lastName: "O'Neill; =1+1", phone: '9415550177' },
      ...{ email: 'zoë@Bücher.example', address: '22 Calle “Ocho”,  Apt 3', zip: '00901' },
      ...{ city: 'San Juan', state: 'PR', educationLevel: 787, graduatingYear: 1990 },
      ...{ programId: 12, startDate: 'four-to-six-months' },
    },
    consent: true,
    category: 'healthcare',
  },
  {
    lead: { ...ada, firstName: '+Bo', programId: 31, startDate: 'one-to-three-months' },
    consent: true,
    category: 'education',
    subId: 'ada@example.com',
    addressVerified: false,
    attribution: ' ',
  },
]

/** Requests that the API refuses: its replies to these must not change either. */
const refusedRequests = [
  { lead: {}, category: 'arts', consent: false },
  {
    lead: {
      ...{ firstName: '', lastName: ' ', phone: '1', email: 'a', address: '', zip: '1', city: '' },
      ...{ state: 'X', educationLevel: -1, graduatingYear: 1900, programId: 9, startDate: 'x' },
    },
    category: 'general',
    consent: true,
  },
]

const head: RequestHead = {
  header: (name) =>
    ({ 'content-type': 'application/json', 'idempotency-key': crypto.randomUUID() })[name],
  remoteAddress: '203.0.113.7',
}

/** Sends a request to the API, and returns its reply and the lead that the server would store. */
async function send(request: object): Promise<{ reply: Reply; enquiry?: CheckedEnquiry }> {
  let enquiry: CheckedEnquiry | undefined
  const handle = makeLeadHandler({
    programs: () => programs,
    currentYear: () => 2026,
    countRefusedCall: () => undefined,
    findSeenDisclosure: async () => 'I agree.',
    proofOfWork: { check: async () => ({ network: 'quiet' }) },
    submit: async (_head: RequestHead, submitted: CheckedEnquiry) => {
      enquiry = submitted
      const id = '019bc0de-0000-7000-8000-000000000001'
      return {
        outcome: 'stored',
        result: { id, repeated: false, duplicateOf: null, corrects: null },
      }
    },
  } as never)
  const reply = await handle(head, JSON.stringify(request))
  return { reply, ...(enquiry && { enquiry }) }
}

/** The leads that release 0.3.0 made of its browsers’ requests, through all layers but the store. */
export async function makeGoldenLeads() {
  const leads: Lead[] = []
  const replies: string[] = []
  for (const request of [...goldenRequests, ...refusedRequests]) {
    const { reply, enquiry } = await send(request)
    replies.push(`${reply.status} ${reply.body}`)
    if (enquiry === undefined) continue
    const context = {
      ...{ ip: '203.0.113.7', userAgent: 'Example/1.0', gpc: leads.length === 2 },
      pageUrl: 'https://school.example/business',
    }
    leads.push({
      ...makeLead(enquiry, context, now, 'I agree.'),
      id: `019bc0de-0000-7000-8000-00000000000${leads.length + 1}`,
    })
  }
  return { leads, replies }
}
