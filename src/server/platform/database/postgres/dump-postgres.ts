import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'

/**
 * Dumps a database into one file in pg_dump's own format, and checks that pg_restore can read the file.
 * @throws the system's ENOENT if one of PostgreSQL's client programs is missing, or an error with the program's message
 */
export async function dumpPostgres(databaseUrl: string, file: string): Promise<void> {
  const { address, password } = withoutPassword(databaseUrl)
  // Our column `system_user` is a keyword since PostgreSQL 16: unquoted, a dump from 15 would not restore on 16.
  const options = ['--format=custom', '--quote-all-identifiers', '--no-password', `--file=${file}`]
  await runProgram('pg_dump', [...options, address], password)
  await runProgram('pg_restore', ['--list', file], '')
}

/** Takes the password out of the URL, because every user of the machine can see a process's arguments. */
function withoutPassword(databaseUrl: string): { address: string; password: string } {
  const url = new URL(databaseUrl)
  const password = decodeURIComponent(url.password) || (url.searchParams.get('password') ?? '')
  url.password = ''
  url.searchParams.delete('password')
  return { address: url.href, password }
}

async function runProgram(
  program: string,
  args: readonly string[],
  password: string,
): Promise<void> {
  const child = spawn(program, args, {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, ...(password === '' ? {} : { PGPASSWORD: password }) },
  })
  const end = () => child.kill()
  process.once('exit', end)
  try {
    const [errorOutput, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')])
    if (code !== 0) throw new Error(`${program}: ${errorOutput.trim().replaceAll(/\s+/g, ' ')}`)
  } finally {
    process.off('exit', end)
  }
}
