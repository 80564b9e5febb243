import type { QuestionReply } from '../address/address-question.ts'

/** What a form says to the question before a step is left, where it asked one. */
export const replyFrom = (read: (control: string) => unknown): QuestionReply => {
  const text = (control: string) => {
    const value = read(control)
    return typeof value === 'string' ? value : ''
  }
  const unit = text('move') === 'no-unit' ? '' : text('unit')
  return { suggestion: text('suggestion'), unit, meantEmail: text('meantEmail') }
}
