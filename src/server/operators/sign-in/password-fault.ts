/** Nobody remembers more signs than a phrase has; hashing a book would cost us. */
const shortest = 12
const longest = 200

/** What is wrong with a password, for the one who chose it; undefined where nothing is. */
export async function passwordFault(password: string, email: string): Promise<string | undefined> {
  if (password.length < shortest)
    return `Choose ${shortest} characters or more: a few words that do not belong together are easiest to remember.`
  if (password.length > longest) return `Choose ${longest} characters or fewer.`
  const [name = ''] = email.split('@')
  const said = password.toLowerCase()
  if (name.length > 3 && said.includes(name)) return 'Choose one without your own address in it.'
  if (await isLeaked(said))
    return 'This password, or one much like it, is in lists of leaked ones that guessers try first. Choose another one.'
  return undefined
}

/** The list is 49,000 long: it is loaded when somebody chooses one, which is seldom. */
let leaked: Promise<ReadonlySet<string>> | undefined

const loadLeaked = async (): Promise<ReadonlySet<string>> => {
  const { dictionary } = await import('@zxcvbn-ts/language-common')
  return new Set<string>(dictionary['passwords-common'])
}

/** What people put at the end of a short one to make it long enough is tried by guessers as well. */
async function isLeaked(password: string): Promise<boolean> {
  leaked ??= loadLeaked()
  const list = await leaked
  const core = password.slice(
    0,
    password.split('').findLastIndex((sign) => /[a-z]/i.test(sign)) + 1,
  )
  const isRepeated = /^(.{1,6})\1+$/.test(password)
  return isRepeated || list.has(password) || (core.length > 3 && list.has(core))
}
