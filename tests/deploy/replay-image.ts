import { execFile } from 'node:child_process'
import { constants, statSync } from 'node:fs'
import { chmod, copyFile, mkdir } from 'node:fs/promises'
import { basename, dirname, join, posix, resolve } from 'node:path'
import { promisify } from 'node:util'
import { readDockerfile, type Stage, type Step } from './read-dockerfile.ts'

const run = promisify(execFile)

export interface Image {
  /** The folder that is `/` in the container. */
  readonly root: string
  /** The container's working directory, as a path in the container. */
  readonly workdir: string
  readonly env: Readonly<Record<string, string>>
  readonly user: string
  readonly command: readonly string[]
  readonly healthCheck: readonly string[]
}

interface Replay {
  readonly context: string
  readonly folder: string
  /** Stages that need not run, with the folder in place of their `/app`. */
  readonly ready?: Readonly<Record<string, string>>
  /** The owner in place of the image's user, as chown's `uid:gid`. */
  readonly owner: string
}

/**
 * Runs the steps of the Dockerfile in folders, as an image build would; each stage's folder is its `/`. Node and npm
 * come from this process instead of the base image.
 */
export async function replayImage(replay: Replay): Promise<Image> {
  const stages = readDockerfile(join(replay.context, 'Dockerfile'))
  let image: Image | undefined
  for (const [index, stage] of stages.entries()) {
    if (replay.ready?.[stage.name ?? ''] !== undefined) continue
    image = await replayStage(stage, join(replay.folder, stage.name ?? String(index)), replay)
  }
  if (image === undefined) throw new Error('The Dockerfile has no stage.')
  const node = join(image.root, 'usr/local/bin/node')
  await copyFile(process.execPath, node, constants.COPYFILE_FICLONE)
  return image
}

async function replayStage(stage: Stage, root: string, replay: Replay): Promise<Image> {
  let image: Image = { root, workdir: '/', env: {}, user: 'root', command: [], healthCheck: [] }
  await mkdir(join(root, 'usr/local/bin'), { recursive: true })
  for (const step of stage.steps) image = { ...image, ...(await take(step, image, replay)) }
  return image
}

async function take(step: Step, image: Image, replay: Replay): Promise<Partial<Image>> {
  const { keyword, text, words } = step
  switch (keyword) {
    case 'WORKDIR':
      await mkdir(join(image.root, text), { recursive: true })
      return { workdir: text }
    case 'COPY':
      await copy(step, image, replay)
      return {}
    case 'RUN':
      await run('sh', ['-ec', inFolder(text, image.root, replay.owner)], {
        cwd: join(image.root, image.workdir),
        // npm's registry and proxy may be set in this environment, and npm's cache is up to date enough. An image build
        // has no NODE_ENV, and a test's value would select another build of React.
        env: { ...process.env, NODE_ENV: undefined, npm_config_prefer_offline: 'true' },
      })
      return {}
    case 'ENV':
      return { env: Object.fromEntries(words.map((word) => word.split('=', 2))) }
    case 'USER':
      return { user: text }
    case 'CMD':
      return { command: JSON.parse(text) }
    case 'HEALTHCHECK':
      return { healthCheck: JSON.parse(text.replace(/^CMD /, '')) }
    case 'LABEL':
    case 'EXPOSE':
      return {}
    default:
      throw new Error(`The replay does not know ${keyword}: teach it.`)
  }
}

async function copy({ words, flags }: Step, { root, workdir }: Image, replay: Replay) {
  const target = words.at(-1) ?? ''
  for (const source of words.slice(0, -1)) {
    const from =
      flags.from === undefined ? join(replay.context, source) : inStage(source, flags.from, replay)
    const isIntoFolder = target.endsWith('/')
    const to = join(root, posix.resolve(workdir, target), isIntoFolder ? basename(source) : '')
    await mkdir(dirname(to), { recursive: true })
    const isFolder = statSync(from).isDirectory()
    if (isFolder) await mkdir(to, { recursive: true })
    // Node takes eight times as long to copy thousands of small files.
    await run('cp', ['-RPp', isFolder ? `${from}/.` : from, to])
    if (flags.chmod !== undefined) await chmod(to, Number.parseInt(flags.chmod, 8))
  }
}

function inStage(path: string, stage: string, { folder, ready }: Replay): string {
  const app = ready?.[stage]
  return app === undefined ? join(folder, stage, path) : resolve(app, posix.relative('/app', path))
}

/** Moves absolute paths into the stage's folder, and replaces the image's user by an existing one. */
const inFolder = (command: string, root: string, owner: string): string =>
  command.replace(/(?<= )\//g, `${root}/`).replaceAll('node:node', owner)
