import { counted } from '#domain/text/counted.ts'

export interface Answers {
  readonly delivered: number
  readonly rejected: number
}

/** Its number does not stand in another line. */
const percentSign = '\u00a0%'

/** `4 %`, of those that were answered; undefined where none was. */
export function shareRejected({ delivered, rejected }: Answers): string | undefined {
  const answered = delivered + rejected
  if (answered === 0) return undefined
  const percent = (100 * rejected) / answered
  return percent > 0 && percent < 1
    ? `under 1${percentSign}`
    : `${Math.round(percent)}${percentSign}`
}

/** What the distributor made of leads lately, beside what is usual. */
export function answersInWords(
  answers: { readonly lastDay: Answers; readonly before: Answers } | undefined,
): string {
  if (answers === undefined) return 'What was answered in the last 24 hours is still being counted.'
  const { delivered, rejected } = answers.lastDay
  const share = shareRejected(answers.lastDay)
  if (share === undefined) return 'No lead was answered in the last 24 hours.'
  const usual = shareRejected(answers.before)
  const beside =
    usual === undefined
      ? ''
      : rejected === 0
        ? ` (${usual} in the seven days before)`
        : `; ${usual} in the seven days before`
  const rejections =
    rejected === 0
      ? `rejected none${beside}`
      : `rejected ${rejected.toLocaleString('en-US')} (${share}${beside})`
  return `In the last 24 hours the distributor took ${counted(delivered, 'lead')} and ${rejections}.`
}
