import { cp, symlink } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { builtFile } from './built-file.ts'

const root = resolve(import.meta.dirname, '../..')

/** Copies the built product with the files that an operator edits. @returns the program that starts the server */
export async function copyProduct(folder: string): Promise<string> {
  await cp(builtFile(''), join(folder, 'dist'), { recursive: true })
  for (const part of ['package.json', 'content', 'catalogue']) {
    await cp(join(root, part), join(folder, part), { recursive: true })
  }
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
  return join(folder, 'dist/server/main.js')
}
