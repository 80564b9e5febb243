/** States, DC, territories and military post offices by the Postal Service's letters (Publication 28, appendix B). */
const stateCodes =
  'AL AK AZ AR CA CO CT DE DC FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH NJ NM NY NC ND OH OK OR PA ' +
  'RI SC SD TN TX UT VT VA WA WV WI WY AS FM GU MH MP PR PW VI AA AE AP'

const codes: ReadonlySet<string> = new Set(stateCodes.split(' '))

export const isStateCode = (text: string): boolean => codes.has(text.toUpperCase())
