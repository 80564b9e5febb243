const dense =
  /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}]/u

/** Of scripts in which no gap stands between a word and the next one; it may be one letter. */
export const isDense = (text: string): boolean => dense.test(text)
