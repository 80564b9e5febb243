import { changelog, documents } from './documents.ts'

export interface ShellBlock {
  /** Of the fence: `docs/storage.md:19`. */
  readonly place: string
  /** Each without the indentation of the list that the block may stand in. */
  readonly commands: string
  /** Why no test runs it and what holds it instead, from a comment before it that no reader is shown. */
  readonly notRun: string | undefined
}

const block =
  /(?:^ *<!-- not run: (?<reason>[^\n]+) -->\n\n?)?^(?<indent> *)```(?:sh|bash|console)\n(?<commands>[\s\S]*?)\n^ *```$/gm

/** Every block of commands in what is documented, upgrade notes among them. */
export const shellBlocks: readonly ShellBlock[] = [...documents, ...changelog].flatMap(
  ({ path, text }) =>
    [...text.matchAll(block)].map(({ index, groups }) => {
      const { reason, indent, commands = '' } = groups ?? {}
      const line = text.slice(0, text.indexOf('```', index)).split('\n').length
      return {
        place: `${path}:${line}`,
        commands: commands.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
        notRun: reason,
      }
    }),
)
