import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { createListLog, createSocketFolder } from '../../test/rpc/socketFolder.ts'
import { type ServedSocket, serveSocket } from './serveSocket.ts'

// The socket by hand, with a netcat that knows Unix sockets and `-N`, as OpenBSD's does.
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

const answer = { jsonrpc: '2.0', id: 1, result: { paused: false } }

describe('netcat', () => {
  withNetcat(`default: the line of the README, as it stands there${note}`, async () => {
    const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8')
    const [command = ''] = /^echo '.*' \| nc .*$/m.exec(readme) ?? []
    expect(command).toContain('/tmp/service.sock')
    const child = spawn('sh', ['-c', command.replace('/tmp/service.sock', place.path)])
    const [written, [code]] = await Promise.all([text(child.stdout), once(child, 'close')])
    expect({ code, answer: JSON.parse(written) }).toEqual({ code: 0, answer })
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
})
