import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { type ServedSocket, serveSocket } from './serveSocket.ts'
import { createListLog, createSocketFolder } from './testing/socketFolder.ts'

// The socket by hand, with the netcat that people have: a netcat that knows Unix sockets and `-N`, as OpenBSD's does.
const help = spawnSync('nc', ['-h'], { encoding: 'utf8' })
const hasNetcat = /-[A-Za-z]*N/.test(help.stderr ?? '') && /-[A-Za-z]*U/.test(help.stderr ?? '')
const withNetcat = hasNetcat ? test : test.skip
const note = hasNetcat ? '' : ' [NOT RUN: there is no netcat with -N and -U here, install netcat-openbsd]'

let place: ReturnType<typeof createSocketFolder>
let served: ServedSocket
const children: ChildProcessWithoutNullStreams[] = []

beforeEach(async () => {
  place = createSocketFolder()
  served = await serveSocket({
    socketPath: place.path,
    log: createListLog(),
    methods: { status: async () => ({ paused: false }) },
  })
})
afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
  await served.close()
  place.remove()
})

/** netcat on the socket, its input open as that of a terminal. */
function netcat(...options: string[]): ChildProcessWithoutNullStreams {
  const child = spawn('nc', [...options, '-U', place.path])
  children.push(child)
  return child
}

async function nextLine({ stdout }: ChildProcessWithoutNullStreams): Promise<unknown> {
  const [chunk] = (await once(stdout, 'data')) as [Buffer]
  return JSON.parse(chunk.toString())
}

const call = '{"jsonrpc":"2.0","id":1,"method":"status"}'
const answer = { jsonrpc: '2.0', id: 1, result: { paused: false } }

describe('netcat', () => {
  withNetcat(`default: the line of the README, as it stands there${note}`, async () => {
    const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8')
    const [command = ''] = /^echo '.*' \| nc .*$/m.exec(readme) ?? []
    expect(command).toContain('/tmp/service.sock')
    const child = spawn('sh', ['-c', command.replace('/tmp/service.sock', place.path)])
    const [said, [code]] = await Promise.all([text(child.stdout), once(child, 'close')])
    expect({ code, said: JSON.parse(said) }).toEqual({ code: 0, said: answer })
  })

  withNetcat(`behavior: typed line by line, also half a line at a time, until Ctrl-D${note}`, async () => {
    const child = netcat('-N')
    for (const id of [1, 2]) {
      child.stdin.write(`{"jsonrpc":"2.0","id":${id},`)
      child.stdin.write('"method":"status"}\n')
      expect(await nextLine(child)).toEqual({ ...answer, id })
    }
    child.stdin.end()
    expect(await once(child, 'close')).toEqual([0, null])
  })

  withNetcat(`behavior: without -N it answers as well, and the line lasts until netcat is ended${note}`, async () => {
    const child = netcat()
    child.stdin.end(`${call}\n`)
    expect(await nextLine(child)).toEqual(answer)
    expect(child.exitCode).toBeNull()
    child.kill('SIGINT')
    await once(child, 'close')
    expect(await nextLine(ask(netcat('-N')))).toEqual(answer)
  })

  withNetcat(`error: a last line without its newline is told so, and not carried out${note}`, async () => {
    const child = netcat('-N')
    child.stdin.end(call)
    expect(JSON.parse(await text(child.stdout))).toMatchObject({ id: null, error: { code: -32_700 } })
  })
})

function ask(child: ChildProcessWithoutNullStreams): ChildProcessWithoutNullStreams {
  child.stdin.end(`${call}\n`)
  return child
}
