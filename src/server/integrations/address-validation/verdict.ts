const premise = {
  inputGranularity: 'PREMISE',
  validationGranularity: 'PREMISE',
  geocodeGranularity: 'PREMISE',
  addressComplete: true,
  hasInferredComponents: true,
}

const asTyped = (street: string) => street

/** The verdict that a word of the street asks the sandbox for. Google sends false as absence. */
export function verdictFor(street: string, isZipKnown: boolean) {
  if (/\bFIX\b/i.test(street) || !isZipKnown) {
    return {
      action: 'FIX',
      verdict: {
        inputGranularity: 'OTHER',
        validationGranularity: 'OTHER',
        geocodeGranularity: 'OTHER',
        hasUnconfirmedComponents: true,
        possibleNextAction: 'FIX',
      },
      correct: asTyped,
    }
  }
  if (/\bCONFIRM\b/i.test(street)) {
    return {
      action: 'CONFIRM',
      verdict: {
        ...premise,
        validationGranularity: 'PREMISE_PROXIMITY',
        hasUnconfirmedComponents: true,
        possibleNextAction: 'CONFIRM',
      },
      correct: asTyped,
    }
  }
  if (/\bREPLACE\b/i.test(street)) {
    return {
      action: 'CONFIRM',
      verdict: {
        ...premise,
        hasReplacedComponents: true,
        hasSpellCorrectedComponents: true,
        possibleNextAction: 'CONFIRM',
      },
      correct: (typed: string) => typed.replace(/\bREPLACE\b/gi, 'Replaced'),
    }
  }
  return {
    action: 'ACCEPT',
    verdict: { ...premise, possibleNextAction: 'ACCEPT' },
    correct: asTyped,
  }
}
