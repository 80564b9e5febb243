/** What distributors' replies are made of, and people are called as well. In small letters none of them names anybody. */
const ordinaryWords: ReadonlySet<string> = new Set(
  (
    'a all an and any are as at be been but by can cap day do end for from get had has have he her him his in is it its ' +
    'lead long may new no not now of off offer old on one or our out page per program read see she so state the to too ' +
    'two up use was way we were who why will with yes yet you young'
  ).split(' '),
)

/** Of a text as it is written: `May` may be a person, `may` is none. */
export const isOrdinaryWord = (written: string): boolean => ordinaryWords.has(written)
