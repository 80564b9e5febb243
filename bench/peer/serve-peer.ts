import { readFile } from 'node:fs/promises'
import { compressed } from '../served/compressed.ts'
import { type Serving, serve } from '../served/serve.ts'

const island = /<div id="enquiry"[^>]*>.*?<\/div>(?=<script id="enquiry-props")/s
const scripts = /<script\b[^>]*>[\s\S]*?<\/script>|<link rel="modulepreload"[^>]*>/g
/** The product's other headers belong to a single answer or to its connection. */
const keptHeaders = /^(cross-origin|origin-agent|permissions|referrer|speculation|vary|x-)/
const library = new URL('../node_modules/@formbricks/surveys/dist/index.umd.js', import.meta.url)

/**
 * Serves the product's page and headers with Formbricks' survey in place of the form, as fast as possible: only its
 * script, from the same server and requested in the page's head. The page contains the questions, which Formbricks' own
 * loader would request first.
 */
export async function servePeer(productUrl: string): Promise<Serving> {
  const answer = await fetch(productUrl)
  const text = await answer.text()
  if (!island.test(text)) throw new Error('the page has no form whose place another could take')
  const page = text
    .replace(island, '<div id="survey"></div>')
    .replaceAll(scripts, '')
    .replace(
      '</head>',
      '<script defer src="/peer.js"></script><script defer src="/questions.js"></script></head>',
    )
  const headers = {
    ...Object.fromEntries([...answer.headers].filter(([name]) => keptHeaders.test(name))),
    // The survey adds its own style sheets.
    'content-security-policy':
      "default-src 'self'; style-src 'unsafe-inline'; img-src 'self' data:",
  }
  const html = { ...compressed('text/html; charset=utf-8', Buffer.from(page)), headers }
  const peer = compressed('text/javascript', await readFile(library))
  const questions = compressed('text/javascript', Buffer.from(`(${ask})()`))
  return serve(async (path) => {
    if (path === '/') return html
    if (path === '/peer.js') return peer
    if (path === '/questions.js') return questions
    const response = await fetch(productUrl + path)
    const type = response.headers.get('content-type') ?? 'application/octet-stream'
    return response.ok ? { type, body: new Uint8Array(await response.arrayBuffer()) } : undefined
  })
}

interface Peer {
  readonly formbricksSurveys: { readonly renderSurveyInline: (props: object) => void }
}

/** Runs in the page. */
function ask(): void {
  const question = (id: string, headline: string) => ({
    id,
    headline,
    type: 'openText',
    inputType: 'text',
    longAnswer: false,
    placeholder: '',
    required: true,
    buttonLabel: 'Next',
  })
  const nothing = () => undefined
  const { formbricksSurveys } = window as unknown as Peer
  formbricksSurveys.renderSurveyInline({
    containerId: 'survey',
    brandColor: '#0f5b57',
    isBrandingEnabled: false,
    isRedirectDisabled: true,
    autoFocus: false,
    survey: {
      id: 'enquiry',
      name: 'Enquiry',
      type: 'link',
      status: 'inProgress',
      questions: [question('firstName', 'First name'), question('lastName', 'Last name')],
      welcomeCard: { enabled: false },
      thankYouCard: { enabled: true, headline: 'Information Received' },
      hiddenFields: { enabled: false },
      styling: null,
      languages: [],
      triggers: [],
    },
    styling: {},
    getSetIsError: nothing,
    getSetIsResponseSendingFinished: nothing,
    onDisplay: nothing,
    onResponse: nothing,
    onClose: nothing,
    onFinished: nothing,
  })
}
