import { degreeLabels } from '#content/messages.ts'
import { legalPaths } from '#content/site-texts.ts'
import { areaPath, areas, fieldAreas } from '#domain/area.ts'
import {
  findAreaPrograms,
  groupProgramsByDegree,
  type Program,
} from '#domain/catalogue/catalogue.ts'
import { steps } from '#domain/enquiry/enquiry.ts'
import { toPlainText } from '#server/content/parse-markdown.ts'
import type { PageContext } from './document.tsx'

/**
 * Renders `/llms.txt`, which tells AI agents in Markdown what the pages tell visitors (https://llmstxt.org): the claims
 * with their reasons, the programs, the questions, and where to read more.
 */
export function renderLlmsText(
  { names, texts, siteOrigin }: PageContext,
  catalogue: readonly Program[],
): string {
  const { school, operator } = names
  const { title, lead, reasons } = texts.areas.general
  const { headings, figuresNote, questions } = texts.shared
  const link = (name: string, path: string) => `[${name}](${siteOrigin}${path})`
  const list = (lines: readonly string[]) => lines.map((line) => `- ${line}`).join('\n')
  const programsOf = fieldAreas.flatMap((area) => [
    `### ${texts.areas[area].name}`,
    ...groupProgramsByDegree(findAreaPrograms(catalogue, area)).map(
      ({ degreeType, programs }) =>
        `${degreeLabels[degreeType].plural}:\n\n${list(
          programs.map(({ id, name }) => link(name, `${areaPath(area)}?program=${id}`)),
        )}`,
    ),
  ])
  return [
    `# ${school}`,
    `> ${title}. ${lead}`,
    `${operator} runs this site. A prospective student requests information in a form of ${steps.length} steps: ${steps.map(({ title }) => title).join(', ')}. ${operator} sends the request to ${school}, which may then contact the student.`,
    `## ${headings.reasons}`,
    list(
      reasons.map(({ topic, figure, text }) =>
        figure
          ? `${topic}: ${[figure.before, figure.figure, figure.label].filter(Boolean).join(' ')}. ${text}`
          : `${topic}: ${text}`,
      ),
    ),
    figuresNote,
    '## Programs',
    list(
      areas.map(
        (area) => `${link(texts.areas[area].name, areaPath(area))}: ${texts.areas[area].title}`,
      ),
    ),
    ...programsOf,
    `## ${headings.questions}`,
    list(questions.map(({ question, answer }) => `${question} ${toPlainText(answer.html)}`)),
    '## Legal',
    list(
      legalPaths.map(
        (path) => `${link(texts.legal[path].title, path)}: ${texts.legal[path].description}`,
      ),
    ).concat('\n'),
  ].join('\n\n')
}
