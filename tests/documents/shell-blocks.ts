import { changelog, documents } from './documents.ts'

export interface ShellBlock {
  /** The place of the fence: `docs/storage.md:19`. */
  readonly place: string
  /** The commands, without the indentation of a list around the block. */
  readonly commands: string
  /**
   * Why no test runs the block and which test covers it instead, from a comment before the block that readers do not
   * see.
   */
  readonly notRun: string | undefined
}

const block =
  /(?:^ *<!-- not run: (?<reason>[^\n]+) -->\n\n?)?^(?<indent> *)```(?:sh|bash|console)\n(?<commands>[\s\S]*?)\n^ *```$/gm

/** Every block of commands in the documents and the changelog. */
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
