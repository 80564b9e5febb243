import { HtmlValidate } from 'html-validate'

// Not its rules of style: how React writes a void element or an attribute's case is nothing a browser sees.
const validator = new HtmlValidate({ extends: ['html-validate:standard', 'html-validate:a11y'] })

/** What is no valid markup in a page, each with where. */
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
