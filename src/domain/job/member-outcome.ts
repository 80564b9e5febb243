interface Words {
  readonly verdict: Verdict
  /** Before anything is done. */
  readonly planned: string
  /** Afterwards. */
  readonly came: string
}

export const verdicts = ['done', 'skipped', 'failed'] as const

export type Verdict = (typeof verdicts)[number]

/** What a job comes to with one lead. The same words serve plan and report, so that the two can be held against each other. */
export const outcomeWords = {
  due: { verdict: 'done', planned: 'would be due at once', came: 'due at once' },
  'released, owes none': {
    verdict: 'done',
    planned: 'would be released, and owe no delivery: it repeats another',
    came: 'released, and owes no delivery: it repeats another',
  },
  'erased now': { verdict: 'done', planned: 'would be erased', came: 'erased' },
  'erased under way': {
    verdict: 'done',
    planned: 'would be erased while a worker has it: the distributor may get it',
    came: 'erased while a worker had it: the distributor may have got it',
  },
  'erased after delivery': {
    verdict: 'done',
    planned: 'would be erased; the distributor has it already',
    came: 'erased; the distributor has it: ask it to erase it, too',
  },
  leased: {
    verdict: 'skipped',
    planned: 'a worker is delivering it',
    came: 'a worker was delivering it',
  },
  delivered: {
    verdict: 'skipped',
    planned: 'delivered already: again would make a duplicate',
    came: 'delivered already: again would have made a duplicate',
  },
  duplicate: {
    verdict: 'skipped',
    planned: 'a duplicate: it owes no delivery',
    came: 'a duplicate: it owes no delivery',
  },
  overtaken: {
    verdict: 'skipped',
    planned: 'overtaken: its person has enquired again, and that lead counts',
    came: 'overtaken: its person has enquired again, and that lead counts',
  },
  quarantined: {
    verdict: 'skipped',
    planned: 'in quarantine: it is to be released first',
    came: 'in quarantine: it is to be released first',
  },
  'not quarantined': {
    verdict: 'skipped',
    planned: 'not in quarantine',
    came: 'was not in quarantine',
  },
  erased: { verdict: 'skipped', planned: 'erased already', came: 'erased already' },
  unreadable: {
    verdict: 'skipped',
    planned: 'cannot be read, and is not sent',
    came: 'cannot be read, and is not sent',
  },
  unknown: { verdict: 'skipped', planned: 'not there any more', came: 'not there any more' },
  failed: { verdict: 'failed', planned: 'would fail', came: 'failed: the log says why' },
} as const satisfies Readonly<Record<string, Words>>

export type MemberOutcome = keyof typeof outcomeWords

/** In the order in which they are shown: what is done first. */
export const memberOutcomes = Object.keys(outcomeWords) as readonly MemberOutcome[]

export const isMemberOutcome = (text: string): text is MemberOutcome =>
  Object.hasOwn(outcomeWords, text)

export const verdictOf = (outcome: MemberOutcome): Verdict => outcomeWords[outcome].verdict
