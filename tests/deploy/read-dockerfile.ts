import { readFileSync } from 'node:fs'
import { type Copy, DockerfileParser, type Healthcheck, type Instruction } from 'dockerfile-ast'

export interface Stage {
  /** The stage's name after `AS`; the last stage has none. */
  readonly name: string | undefined
  readonly steps: readonly Step[]
}

export interface Step {
  /** The instruction in upper case: `RUN`, `COPY`, … */
  readonly keyword: string
  /** The rest of the instruction except its flags, as written. */
  readonly text: string
  readonly words: readonly string[]
  /** The flags: `--from=build` becomes `from: 'build'`. */
  readonly flags: Readonly<Record<string, string>>
}

/** Reads the steps of a Dockerfile, stage by stage. */
export function readDockerfile(file: string): readonly Stage[] {
  const stages: { name: string | undefined; steps: Step[] }[] = []
  for (const instruction of DockerfileParser.parse(readFileSync(file, 'utf8')).getInstructions()) {
    const step = stepOf(instruction)
    if (step.keyword === 'FROM') stages.push({ name: step.words[2], steps: [] })
    else stages.at(-1)?.steps.push(step)
  }
  return stages
}

function stepOf(instruction: Instruction): Step {
  const withFlags = instruction as Instruction & Partial<Pick<Copy | Healthcheck, 'getFlags'>>
  const flags = withFlags.getFlags?.() ?? []
  const words = instruction.getArguments().map((word) => word.getValue())
  return {
    keyword: instruction.getKeyword(),
    text: words.join(' '),
    words,
    flags: Object.fromEntries(flags.map((flag) => [flag.getName(), flag.getValue() ?? ''])),
  }
}
