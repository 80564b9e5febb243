import { HtmlValidate } from 'html-validate'

// The style rules are left out: how React writes a void element or an attribute's case makes no difference to browsers.
const validator = new HtmlValidate({ extends: ['html-validate:standard', 'html-validate:a11y'] })

/** Lists the invalid markup of a page, with its places. */
export async function htmlFaults(reply: Response): Promise<readonly string[]> {
  const html = await reply.text()
  const { results } = await validator.validateString(html)
  return results.flatMap(({ messages }) =>
    messages.map(({ ruleId, message, line, column }) => {
      const around = html.split('\n')[line - 1]?.slice(column - 1, column + 120)
      return `${ruleId}: ${message} at ${around}`
    }),
  )
}
