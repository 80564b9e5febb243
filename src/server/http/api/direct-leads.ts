import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Logger } from 'pino'
import { apiPrefix } from '#contract/own-api.ts'
import { announcesShortBody } from '../limit-body.ts'
import { ourFault } from '../problem.ts'
import type { Reply } from '../reply.ts'
import type { IsSameOrigin } from '../same-origin.ts'
import type { Shortcut } from '../shortcut.ts'
import { type Visit, visitBy } from '../visit.ts'
import { repeatsXsrfToken } from '../xsrf.ts'
import type { LeadCall } from './lead-call.ts'

interface DirectLeadsPorts {
  readonly leadCall: LeadCall
  readonly isSameOrigin: IsSameOrigin
  /** An answer of the router's to a call of the own API: its headers are given again. */
  readonly askRouter: (path: string) => Response | Promise<Response>
  readonly log: Logger
}

const path = `${apiPrefix}/leads`
const utf8 = new TextDecoder()

/**
 * Enquiries whose head is as our own pages send it: the way through a Request, the router, a Response and a dozen
 * header calls took a third of an enquiry's time. Any other goes that way, and is told there what is wrong with it.
 */
export function directLeads({
  leadCall,
  isSameOrigin,
  askRouter,
  log,
}: DirectLeadsPorts): Shortcut {
  let apiHeaders: Promise<readonly string[]> | undefined
  const reply = (visit: Visit, body: string): Promise<Reply> =>
    leadCall(visit, body).catch((error: unknown) => {
      log.error({ err: error, method: 'POST', route: path }, 'request failed')
      return ourFault
    })

  async function answer(
    visit: Visit,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    const { status, headers, body } = await reply(visit, await bodyOf(request))
    apiHeaders ??= readHeaders(askRouter)
    response.writeHead(status, [
      ...(await apiHeaders),
      ...Object.entries(headers).flat(),
      'content-length',
      String(Buffer.byteLength(body)),
    ])
    response.end(body)
  }

  return (request, response) => {
    if (request.method !== 'POST' || request.url !== path) return false
    const visit = visitBy(request)
    if (!isSameOrigin(visit) || !repeatsXsrfToken(visit) || !announcesShortBody(visit)) return false
    answer(visit, request, response)
    return true
  }
}

/** Never resolves where the visitor went away before it was there whole: nobody would hear an answer. */
function bodyOf(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = []
  return new Promise((resolve) => {
    request.on('data', (piece: Buffer) => pieces.push(piece))
    request.on('end', () => resolve(utf8.decode(Buffer.concat(pieces))))
    request.on('error', () => undefined)
  })
}

const ofOneAnswer = new Set(['content-type', 'content-length', 'set-cookie'])

/** Name and value in turn, as Node takes them, but those of the one answer. */
async function readHeaders(askRouter: DirectLeadsPorts['askRouter']): Promise<readonly string[]> {
  const { headers } = await askRouter(path)
  return [...headers].filter(([name]) => !ofOneAnswer.has(name)).flat()
}
