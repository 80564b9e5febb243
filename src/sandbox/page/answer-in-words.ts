import { parseJson } from '#server/platform/call/parse-json.ts'

export interface AnswerInWords {
  readonly words: string
  readonly tone: 'good' | 'bad'
}

/** What was answered, for a table's cell: a distributor's verdict, an HTTP status, or that there was none. */
export function answerInWords({
  status,
  body,
}: {
  readonly status: number | null
  readonly body: string | null
}): AnswerInWords {
  if (status === null) return { words: 'no reply', tone: 'bad' }
  if (status !== 200) return { words: `HTTP ${status}`, tone: 'bad' }
  const verdict = verdictIn(body ?? '')
  if (verdict === undefined) return { words: 'HTTP 200, unreadable', tone: 'bad' }
  return { words: verdict || 'HTTP 200', tone: /^(|success|OK)$/.test(verdict) ? 'good' : 'bad' }
}

/** A distributor's and Geocoding's `status`; empty where the reply has none, undefined where it is no JSON object. */
function verdictIn(body: string): string | undefined {
  const value = parseJson(body)
  if (typeof value !== 'object' || value === null) return undefined
  return 'status' in value ? String(value.status) : ''
}
