import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { DockerfileParser, type Instruction, ModifiableInstruction } from 'dockerfile-ast'
import { buildContext } from './buildContext.ts'

/** A stage of a Dockerfile whose steps were run in a tree: what `docker run` would start. */
export type RehearsedImage = {
  /** The tree, with nothing mounted in it. */
  folder: string
  environment: Record<string, string>
  workdir: string
  /** Numbers: user and group. */
  user: string
  volumes: string[]
  stopSignal: string
  entrypoint: string[]
  healthcheck: string[]
}

/** Where a rehearsal finds and leaves things. */
export type Rehearsal = {
  dockerfile: string
  /** The folder that is built from. */
  context: string
  /** A tree in place of every image that a stage begins with. */
  base: string
  /** Gets a tree for each stage. */
  folder: string
}

/**
 * Runs the steps of a Dockerfile one by one, as root, each stage in a tree of its own, each RUN as in a container: with that tree as
 * its root, mounts of its own and no variable but the stage's.
 *
 * @returns its last stage.
 * @throws {TypeError} at an instruction, or a form of one, that it does not know.
 * @throws {Error} when a step fails, with what it wrote.
 */
export function rehearseDockerfile({ dockerfile, context, base, folder }: Rehearsal): RehearsedImage {
  const stages = new Map<string, RehearsedImage>()
  let last: RehearsedImage | undefined
  for (const instruction of DockerfileParser.parse(readFileSync(dockerfile, 'utf8')).getInstructions()) {
    if (instruction.getKeyword() === 'FROM') {
      const [, , name = String(stages.size)] = wordsOf(instruction)
      last = beginStage(base, join(folder, name))
      stages.set(name, last)
      continue
    }
    if (!last) throw new TypeError('A Dockerfile begins with FROM.')
    runStep(instruction, { stage: last, stages, context })
  }
  if (!last) throw new TypeError('A Dockerfile has a stage.')
  return last
}

/**
 * The program and arguments that run a command with a tree as its root. It is process 1 of its own, and gets every signal.
 *
 * @param mounts shell commands that come before, with `$tree` as the tree.
 */
export function inTree(
  { folder, environment, workdir, user }: Pick<RehearsedImage, 'folder' | 'environment' | 'workdir' | 'user'>,
  command: readonly string[],
  mounts: readonly string[] = [],
): [program: string, args: string[]] {
  const variables = Object.entries(environment).map(([name, value]) => `${name}=${value}`)
  const script = [
    'set -e; tree=$1 workdir=$2; shift 2',
    'mount --bind "$tree" "$tree"',
    'mount -t proc proc "$tree/proc"',
    'mount --rbind /dev "$tree/dev"',
    ...mounts,
    `exec chroot --userspec=${user} "$tree" /usr/bin/env -i --chdir="$workdir" "$@"`,
  ].join('\n')
  const namespaces = ['--mount', '--pid', '--fork', '--kill-child', '--propagation', 'private']
  return ['unshare', [...namespaces, '/bin/sh', '-c', script, 'sh', folder, workdir, ...variables, ...command]]
}

type Step = { stage: RehearsedImage; stages: ReadonlyMap<string, RehearsedImage>; context: string }

function runStep(instruction: Instruction, { stage, stages, context }: Step): void {
  const text = instruction.getArgumentsContent() ?? ''
  const keyword = instruction.getKeyword()
  switch (keyword) {
    case 'LABEL':
    case 'EXPOSE':
      return
    case 'ENV':
      for (const [, name = '', value = ''] of text.matchAll(/([A-Z_]+)=(\S*)/g)) {
        stage.environment[name] = value.replace(/\$([A-Z_]+)/g, (_, other: string) => stage.environment[other] ?? '')
      }
      return
    case 'WORKDIR':
      stage.workdir = text
      mkdirSync(join(stage.folder, text), { recursive: true })
      return
    case 'USER':
      stage.user = text
      return
    case 'VOLUME':
      stage.volumes.push(text)
      return
    case 'STOPSIGNAL':
      stage.stopSignal = text
      return
    case 'ENTRYPOINT':
      stage.entrypoint = JSON.parse(text) as string[]
      return
    case 'HEALTHCHECK':
      stage.healthcheck = JSON.parse(text.replace(/^CMD\s+/, '')) as string[]
      return
    case 'COPY':
      copy(text, optionsOf(instruction), { stage, stages, context })
      return
    case 'RUN':
      if (optionsOf(instruction).length > 0)
        throw new TypeError(`RUN ${optionsOf(instruction)}: the rehearsal does not know it.`)
      run(text, stage)
      return
    default:
      throw new TypeError(`${keyword}: the rehearsal does not know it.`)
  }
}

function beginStage(base: string, folder: string): RehearsedImage {
  execFileSync('cp', ['-a', '--reflink=auto', base, folder])
  return {
    folder,
    environment: { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', HOME: '/root' },
    workdir: '/',
    user: '0:0',
    volumes: [],
    stopSignal: 'SIGTERM',
    entrypoint: [],
    healthcheck: [],
  }
}

function copy(text: string, options: string[], { stage, stages, context }: Step): void {
  const [from = '', to = '', ...rest] = text.split(/\s+/)
  if (rest.length > 0) throw new TypeError(`COPY ${text}: the rehearsal copies one thing at a time.`)
  const [option, ...others] = options
  if (option === undefined) {
    if (from !== '.' || to !== '.') throw new TypeError(`COPY ${text}: the rehearsal copies the whole context.`)
    for (const file of buildContext(context)) {
      const target = join(stage.folder, stage.workdir, file)
      mkdirSync(dirname(target), { recursive: true })
      cpSync(join(context, file), target, { verbatimSymlinks: true })
    }
    return
  }
  const source = stages.get(option.replace(/^from=/, ''))
  if (!source || others.length > 0) throw new TypeError(`COPY ${options.join(' ')}: the rehearsal does not know it.`)
  const target = join(stage.folder, to)
  mkdirSync(dirname(target), { recursive: true })
  execFileSync('cp', ['-aT', join(source.folder, from), target])
  // As COPY does it: what it copies is root's.
  execFileSync('chown', ['-R', '0:0', target])
}

/** A RUN reaches the registry as this machine does: its names, authorities and npm's settings are mounted, and leave nothing behind. */
function run(command: string, stage: RehearsedImage): void {
  const authorities = process.env['NODE_EXTRA_CA_CERTS']
  const lent: [source: string, target: string][] = [
    ['/etc/resolv.conf', '/etc/resolv.conf'],
    [join(homedir(), '.npmrc'), '/root/.npmrc'],
    ...(authorities === undefined ? [] : ([[authorities, authorities]] as [string, string][])),
  ]
  const given = lent.filter(([source]) => existsSync(source))
  const mounts = given.flatMap(([source, target]) => [
    `mkdir -p "$tree${dirname(target)}"`,
    `touch "$tree${target}"`,
    `mount --bind '${source}' "$tree${target}"`,
  ])
  const environment = {
    ...stage.environment,
    ...(authorities !== undefined && { NODE_EXTRA_CA_CERTS: authorities }),
  }
  const [program, args] = inTree({ ...stage, environment }, ['/bin/sh', '-c', command], mounts)
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8', maxBuffer: 1 << 26 })
  for (const [, target] of given) {
    const file = join(stage.folder, target)
    if (existsSync(file) && readFileSync(file).length === 0) rmSync(file)
  }
  if (status !== 0)
    throw new Error(`RUN ${command} failed with ${status}:\n${stdout.slice(-4_000)}${stderr.slice(-4_000)}`)
}

function wordsOf(instruction: Instruction): string[] {
  return (instruction.getArgumentsContent() ?? '').split(/\s+/)
}

/** What stands between an instruction and its arguments: `from=build`. */
function optionsOf(instruction: Instruction): string[] {
  if (!(instruction instanceof ModifiableInstruction)) return []
  return instruction.getFlags().map((flag) => `${flag.getName()}=${flag.getValue()}`)
}
