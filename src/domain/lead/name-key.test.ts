import { expect, it } from 'vitest'
import { makeNameKey } from './duplicate.ts'

const keyOf = (name: string) => {
  const [firstName = '', lastName = ''] = name.split('|')
  return makeNameKey({ firstName, lastName })
}

it.each([
  ['Ada|Lovelace', 'ADA|LOVELACE'],
  ['Ada|Lovelace', 'A.|Lovelace'],
  ['Ada|Lovelace', ' ada| Lovelace '],
  ['Zoë|O’Neill', "Zoe|O'Neill"],
  ['Zoë|O’Neill', 'Z|ONEILL'],
  ['José|de la Cruz-Núñez', 'Jose\u0301|De La Cruz Nunez'],
  ['Élodie|Weiß', 'Elodie|WEISS'],
  ['İpek|Işık', 'Ipek|ISIK'],
  ['Σοφία|Παπαδοπούλος', 'ΣΟΦΙΑ|ΠΑΠΑΔΟΠΟΥΛΟΣ'],
  ['Ｗｉｄｅ|ｎａｍｅ', 'Wide|Name'],
  ['Nguyễn|Trần', 'Nguyen|Tran'],
  ['민준|김', '\u1106\u1175\u11ab준|김'],
  ['👩‍🎓🏽|Lovelace', '👩‍🎓🏽|lovelace'],
  ['-|–', '-|–'],
])('%s and %s are one name', (one, other) => expect(keyOf(one)).toBe(keyOf(other)))

it.each([
  ['Ada|Lovelace', 'Bea|Lovelace'],
  ['Ada|Lovelace', 'Ada|Byron'],
  ['Ada|Lovelace', 'Lovelace|Ada'],
  ['伟|王', '伟|李'],
  ['が|はな', 'か|はな'],
  ['राम|सिंह', 'राम|सेंह'],
  ['שרה|כהן', 'שרה|לוי'],
  ['民|김', '민|김'],
  ['👩‍🎓🏽|Lovelace', '👨‍🎓|Lovelace'],
  ['-|–', '…|–'],
  ['-|–', '-|…'],
])('%s and %s are two names', (one, other) => expect(keyOf(one)).not.toBe(keyOf(other)))
