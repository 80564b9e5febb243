import { useEffect } from 'react'
import { thankYou } from '#content/messages.ts'
import { StepHeading } from '../step-heading.tsx'

interface ThankYouProps {
  /** The variant's pixel, filled in; absent where none is configured or the visitor's browser asks not to sell data. */
  pixelUrl: string | undefined
}

export function ThankYou({ pixelUrl }: ThankYouProps) {
  useEffect(() => {
    if (pixelUrl) new Image().src = pixelUrl
  }, [pixelUrl])

  return (
    <div data-step={4}>
      <StepHeading>{thankYou.heading}</StepHeading>
      <p>{thankYou.text}</p>
      {pixelUrl && (
        <noscript>
          <img src={pixelUrl} alt="" width="1" height="1" />
        </noscript>
      )}
    </div>
  )
}
