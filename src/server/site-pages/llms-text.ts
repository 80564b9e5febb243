import { legalPaths } from '#content/legal/legal-paths.ts'
import { areaPath, areas } from '#domain/area.ts'
import { steps } from '#domain/enquiry/steps.ts'
import type { PageContext } from '#site/shell/document.tsx'

/** `/llms.txt`: what the site is and where its pages are, in Markdown for AI agents (https://llmstxt.org). */
export function llmsText({ names, words, siteOrigin }: PageContext): string {
  const { school, operator } = names
  const { title, lead } = words.areas.general
  const link = (name: string, path: string, description: string) =>
    `- [${name}](${siteOrigin}${path}): ${description}`
  return [
    `# ${school}`,
    `> ${title}. ${lead}`,
    `${operator} runs this site. A prospective student requests information in a form of ${steps.length} steps: ${steps.map(({ title }) => title).join(', ')}. ${operator} sends the request to ${school}, which contacts the student.`,
    '## Programs',
    areas
      .map((area) => link(words.areas[area].name, areaPath(area), words.areas[area].title))
      .join('\n'),
    '## Legal',
    legalPaths
      .map((path) => link(words.legal[path].title, path, words.legal[path].description))
      .join('\n')
      .concat('\n'),
  ].join('\n\n')
}
