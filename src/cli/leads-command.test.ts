import { describe, expect, test } from 'vitest'
import packageManifest from '../../package.json' with { type: 'json' }
import { makeLeadsCommand } from './leads-command.ts'

const verbs = makeLeadsCommand().commands.map((command) => ({ verb: command.name(), command }))

test('has every command that an operator’s scripts may use', () => {
  const names = [
    'list',
    'show',
    'release',
    'returns',
    'retry',
    'export',
    'erase',
    'retain',
    'stats',
    'pause',
    'resume',
    'catalogue',
    'content',
    'check',
    'send-test-lead',
    'settle',
    'backup',
    'restored',
    'migrate-to',
    'operators',
    'sign-in-link',
    'audit',
    'jobs',
    'affiliates',
    'statements',
    'revenue',
    'spend',
    'do-not-contact',
    'webhooks',
    'alerts',
  ]
  expect(verbs.map(({ verb }) => verb).toSorted()).toEqual(names.toSorted())
})

test('the help lists every command', () => {
  const help = makeLeadsCommand().helpInformation()
  const listed = verbs.filter(({ verb }) => help.includes(`\n  ${verb} `))
  expect(listed).toEqual(verbs)
})

test('--version prints the release', () => {
  expect(makeLeadsCommand().version()).toBe(`${packageManifest.version} (build unbuilt)`)
})

describe.each(verbs)('the help of $verb', ({ verb, command }) => {
  let help = ''
  command.configureOutput({
    writeOut: (text) => {
      help += text
    },
  })

  test('has an example, and says that there is JSON', () => {
    command.outputHelp()
    expect(help).toMatch(new RegExp(`Examples?:\n  npm run leads -- ${verb}`))
    expect(help).toContain('--json')
  })
})
