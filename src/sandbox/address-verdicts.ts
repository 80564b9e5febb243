const premise = {
  inputGranularity: 'PREMISE',
  validationGranularity: 'PREMISE',
  geocodeGranularity: 'PREMISE',
  addressComplete: true,
  hasInferredComponents: true,
}

const nowhere = {
  inputGranularity: 'OTHER',
  validationGranularity: 'OTHER',
  geocodeGranularity: 'OTHER',
  hasUnconfirmedComponents: true,
  possibleNextAction: 'FIX',
}

interface StandInVerdict {
  readonly verdict: object
  /** False where no address lines are found. */
  readonly isFound?: false
  /** The word that Google would have replaced, and by what. */
  readonly replaced?: readonly [RegExp, string]
  readonly isUnitMissing?: true
  readonly unconfirmed?: readonly string[]
}

/** The verdict that a word of the street asks the sandbox for. Google sends false as absence. */
export function verdictFor(street: string, isZipKnown: boolean): StandInVerdict {
  const words = street.toUpperCase().split(/\W+/)
  const asks = (word: string) => words.includes(word)
  if (asks('FIX') || !isZipKnown) return { verdict: nowhere, isFound: false }
  if (asks('UNKNOWN')) return { verdict: nowhere, unconfirmed: ['street_number', 'route'] }
  const replaced = asks('REPLACE') ? ([/\bREPLACE\b/gi, 'Replaced'] as const) : undefined
  const corrected = replaced && { hasReplacedComponents: true, hasSpellCorrectedComponents: true }
  if (asks('NOUNIT')) {
    const { addressComplete: _, ...incomplete } = premise
    return {
      verdict: {
        ...incomplete,
        ...corrected,
        possibleNextAction: replaced ? 'CONFIRM' : 'CONFIRM_ADD_SUBPREMISES',
      },
      isUnitMissing: true,
      ...(replaced ? { replaced } : {}),
    }
  }
  if (replaced) {
    return { verdict: { ...premise, ...corrected, possibleNextAction: 'CONFIRM' }, replaced }
  }
  if (asks('CONFIRM')) {
    return {
      verdict: {
        ...premise,
        validationGranularity: 'PREMISE_PROXIMITY',
        hasUnconfirmedComponents: true,
        possibleNextAction: 'CONFIRM',
      },
      unconfirmed: ['street_number'],
    }
  }
  return { verdict: { ...premise, possibleNextAction: 'ACCEPT' } }
}
