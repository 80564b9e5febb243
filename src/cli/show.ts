import { Command } from 'commander'
import type { LeadDetails } from '#server/use-cases/read-leads.ts'
import { print, printJson } from './print.ts'
import { table, visible } from './table.ts'
import { fail, withArchive } from './with-archive.ts'

export const showCommand = (): Command =>
  new Command('show')
    .description('shows one lead: what was said, what was agreed to, every delivery attempt')
    .argument('<id>', 'the lead’s id')
    .option('--json', 'as JSON')
    .action(show)

async function show(id: string, { json }: { json?: boolean }): Promise<void> {
  const found = await withArchive((archive) => archive.find(id, Date.now()))
  if (found === undefined) fail(`There is no lead with the id ${id}.`, 1)
  if (json) return printJson(found)
  print(factsOf(found))
}

function factsOf({ lead, status, duplicateOf, delivery }: LeadDetails): string {
  const facts: [string, string][] = [
    ['Lead', lead.id],
    ['Status', status],
    ...(duplicateOf ? [['Duplicate of', duplicateOf] as [string, string]] : []),
    ['Received', time(lead.receivedAt)],
    ['Area', lead.area],
    ['Affiliate', lead.subId ?? '–'],
    ['Name', `${lead.firstName} ${lead.lastName}`],
    ['Phone', lead.phone],
    ['Email', lead.email],
    ['Address', `${lead.street}, ${lead.city}, ${lead.state} ${lead.zipPlus4 ?? lead.zip}`],
    ['', lead.addressVerified ? 'verified' : 'not verified: city and state are the visitor’s'],
    ['Education', `level ${lead.educationLevelId}, graduation year ${lead.graduatingYear}`],
    ['Program', `${lead.program.id}  ${lead.program.name}`],
    ['Start date', lead.startDateId],
    ['Agreed', `${time(lead.consent.at)} at ${lead.consent.pageUrl} from ${lead.consent.ip}`],
    ['', lead.consent.text],
  ]
  const width = Math.max(...facts.map(([name]) => name.length))
  const lines = facts.map(([name, value]) => `${name.padEnd(width)}  ${visible(value)}`)
  if (delivery === null) return lines.join('\n')
  const attempts = delivery.attempts.map((attempt) => [
    String(attempt.number),
    time(attempt.startedAt),
    `${attempt.durationMs} ms`,
    attempt.outcome,
    attempt.httpStatus === null ? '–' : String(attempt.httpStatus),
    attempt.detail ?? '',
  ])
  return [
    ...lines,
    '',
    attempts.length === 0
      ? 'No delivery has been attempted yet.'
      : table(['Try', 'At', 'Took', 'Outcome', 'HTTP', 'Detail'], attempts),
    ...(delivery.nextAttemptAt === null ? [] : [`Next attempt: ${time(delivery.nextAttemptAt)}`]),
  ].join('\n')
}

const time = (at: number): string => new Date(at).toISOString()
