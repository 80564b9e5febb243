import { isList, type ListTopic, type LiveTopic } from '#domain/live-topic.ts'
import type { LeadNews, LiveLook } from '#server/leads/live/live-news.ts'
import type { LiveMark } from './live-mark.ts'

/** Whoever knew less than so many batches ago asks for everything anew. */
const mostRemembered = 1000

/** What a process that looks once a second remembers of what it has seen. */
export class KnownNews {
  #mark: LiveMark
  /** Up to the mark without a gap, the oldest first. */
  #recent: LeadNews[]

  constructor({ seq, deliveries, jobs, news = [] }: LiveLook) {
    this.#mark = { seq, deliveries, jobs }
    this.#recent = [...news]
  }

  get mark(): LiveMark {
    return this.#mark
  }

  /** What this process has followed itself. @returns whether it is the next one: else the look has it */
  add(news: LeadNews): boolean {
    if (news.seq !== this.#mark.seq + 1) return false
    this.#mark = { ...this.#mark, seq: news.seq }
    this.#remember([news])
    return true
  }

  /** What was asked for while the mark was what it was, or less. */
  learn({ seq, deliveries, jobs, news }: LiveLook): void {
    if (news === undefined) {
      this.#recent = []
      this.#mark = { seq, deliveries, jobs }
      return
    }
    this.#remember(news.filter((one) => one.seq > this.#mark.seq))
    this.#mark = { seq: Math.max(seq, this.#mark.seq), deliveries, jobs }
  }

  /** Of these topics those that changed since; all where that cannot be said. */
  changedSince(since: LiveMark | undefined, topics: readonly LiveTopic[]): readonly LiveTopic[] {
    if (since === undefined) return topics
    const { seq, deliveries, jobs } = this.#mark
    const isRemembered = since.seq <= seq && since.seq + 1 >= (this.#recent[0]?.seq ?? seq + 1)
    const changed = new Set(
      this.#recent.flatMap((news) => (news.seq > since.seq ? news.leads : [])),
    )
    const hasChanged: Readonly<Record<ListTopic, boolean>> = {
      leads: since.seq !== seq,
      deliveries: since.deliveries !== deliveries,
      jobs: since.jobs !== jobs,
    }
    return topics.filter((topic) =>
      isList(topic) ? hasChanged[topic] : !isRemembered || changed.has(topic.slice('lead:'.length)),
    )
  }

  #remember(news: readonly LeadNews[]): void {
    this.#recent = [...this.#recent, ...news].slice(-mostRemembered)
  }
}
