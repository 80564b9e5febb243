import { useEffect } from 'react'
import { thankYou, whatHappensNext } from '#content/messages.ts'
import { StepHeading, stepTitleId } from '../step-heading.tsx'
import styles from './thank-you.module.css'

interface ThankYouProps {
  /** The lead's id: what the visitor can name when asking about the enquiry. */
  reference: string | undefined
  school: string
  operator: string
  /** The variant's pixel, filled in; absent where none is configured or the visitor's browser asks not to sell data. */
  pixelUrl: string | undefined
}

export function ThankYou({ reference, school, operator, pixelUrl }: ThankYouProps) {
  useEffect(() => {
    if (pixelUrl) new Image().src = pixelUrl
  }, [pixelUrl])

  return (
    <div data-step={4}>
      <StepHeading isStart>{thankYou.heading}</StepHeading>
      <p id={stepTitleId}>{thankYou.text}</p>
      <h3 className={styles.heading}>What happens next</h3>
      <ol className={styles.list}>
        {whatHappensNext(school, operator).map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ol>
      {reference && (
        <p className={styles.reference}>
          Your reference number: <code>{reference}</code>
        </p>
      )}
      {pixelUrl && (
        <noscript>
          <img src={pixelUrl} alt="" width="1" height="1" />
        </noscript>
      )}
    </div>
  )
}
