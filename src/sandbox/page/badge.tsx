import { type AnswerInWords, answerInWords } from './answer-in-words.ts'

/** What was answered, in a colour and in words. */
export function Badge(answer: Parameters<typeof answerInWords>[0]) {
  const { words, tone }: AnswerInWords = answerInWords(answer)
  return (
    <span className="badge" data-tone={tone}>
      {words}
    </span>
  )
}
