import type { Ledger } from '../calls/ledger.ts'

/** How much has come, and whether anything came again. */
export function Counts({ ledger }: { readonly ledger: Ledger }) {
  const { arrivals, leads } = ledger.counts()
  return (
    <p id={countsId} className="counts">
      {arrivals === 0
        ? 'No lead has come yet: fill in the form of the site, and look here.'
        : `${counted(arrivals, 'arrival')} of ${counted(leads, 'lead')}${again(arrivals - leads)}`}
    </p>
  )
}

export const countsId = 'counts'

const again = (repeats: number): string =>
  repeats === 0 ? ', none sent twice' : `: ${counted(repeats, 'repeat')}`

const counted = (count: number, noun: string): string =>
  `${count.toLocaleString('en-US')} ${noun}${count === 1 ? '' : 's'}`
