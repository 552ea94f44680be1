import { createListLog } from '@firmquote/test-support/listLog'
import { describe, expect, test } from '@jest/globals'
import { JSONRPCErrorException } from 'json-rpc-2.0'
import { createAnswerMessage } from './answerMessage.ts'

const secret = 'the key is 0xdead'

function create() {
  const log = createListLog()
  const calls: unknown[] = []
  const answerMessage = createAnswerMessage({
    program: 'server',
    log,
    methods: {
      echo: async (params) => {
        calls.push(params)
        return params
      },
      nothing: async () => undefined,
      refuse: async () => {
        throw new JSONRPCErrorException('It is too much.', -32_003, { limit: '5' })
      },
      break: async () => {
        throw new Error(secret)
      },
      unwritable: async () => ({ amount: 5n }),
      unwritableRefusal: async () => {
        throw new JSONRPCErrorException('It is too much.', -32_003, { limit: 5n })
      },
    },
  })
  return {
    log,
    calls,
    raw: async (line: string | Uint8Array) => answerMessage(typeof line === 'string' ? Buffer.from(line) : line),
    ask: async (value: unknown) => {
      const text = await answerMessage(Buffer.from(JSON.stringify(value)))
      return text === null ? null : JSON.parse(text)
    },
  }
}

const call = (method: string, params?: unknown, id: unknown = 1) => ({ jsonrpc: '2.0', id, method, params })
const failure = (code: number, id: unknown = null) => ({
  jsonrpc: '2.0',
  id,
  error: { code, message: expect.any(String) },
})

describe('one request', () => {
  test.each([{ a: '1' }, ['1'], {}, []])('default: params %j', async (params) => {
    const { ask } = create()
    expect(await ask(call('echo', params))).toEqual({ jsonrpc: '2.0', id: 1, result: params })
  })

  test.each(['a', '', 0, -5, 1.5, Number.MAX_SAFE_INTEGER, null])('behavior: the id %j comes back', async (id) => {
    expect(await create().ask(call('echo', [], id))).toEqual({ jsonrpc: '2.0', id, result: [] })
  })

  test('behavior: an undefined result becomes null, because a response needs a result', async () => {
    expect(await create().ask(call('nothing'))).toEqual({ jsonrpc: '2.0', id: 1, result: null })
  })

  test.each(['echo', 'none', 'break', 'refuse'])('behavior: the notification %s gets no answer', async (method) => {
    const { ask, log } = create()
    expect(await ask({ jsonrpc: '2.0', method })).toBeNull()
    expect(log.entries.filter(({ level }) => level === 'error')).toHaveLength(method === 'break' ? 1 : 0)
  })

  test('behavior: ignores a blank line', async () => {
    expect(await create().raw(' \t\r')).toBeNull()
  })

  test.each(['none', '__proto__', 'constructor', 'toString', 'hasOwnProperty', ''])(
    'error: the unknown method %j, with those that there are',
    async (method) => {
      const { ask, log } = create()
      expect(await ask(call(method))).toEqual({
        jsonrpc: '2.0',
        id: 1,
        error: {
          code: -32_601,
          message: 'No such method.',
          data: { methods: ['echo', 'nothing', 'refuse', 'break', 'unwritable', 'unwritableRefusal'] },
        },
      })
      expect(log.entries).toEqual([])
    },
  )

  test.each(['{', 'x', '{"jsonrpc":"2.0","id":1,"method":"echo"', "{'a':1}", '\ufeff{}', '{} {}'])(
    'error: %j is not JSON',
    async (line) => {
      const text = await create().raw(line)
      expect(JSON.parse(text ?? '')).toEqual(failure(-32_700))
      expect(text).toContain('"id":null')
    },
  )

  test('error: not UTF-8, though it would be JSON with a replaced letter', async () => {
    const line = Buffer.concat([
      Buffer.from('{"jsonrpc":"2.0","id":1,"method":"echo","params":["'),
      Buffer.from([0xff]),
      Buffer.from('"]}'),
    ])
    const { raw, calls } = create()
    expect(JSON.parse((await raw(line)) ?? '')).toEqual(failure(-32_700))
    expect(calls).toEqual([])
  })

  test.each([
    [5, null],
    ['echo', null],
    [null, null],
    [{}, null],
    [{ id: 7, method: 'echo' }, 7],
    [{ jsonrpc: '1.0', id: 7, method: 'echo' }, 7],
    [{ jsonrpc: '2.0', id: 7 }, 7],
    [{ jsonrpc: '2.0', id: 7, method: 5 }, 7],
    [{ jsonrpc: '2.0', method: 5 }, null],
    [{ jsonrpc: '2.0', id: 7, method: 'echo', params: 'x' }, 7],
    [{ jsonrpc: '2.0', id: 7, method: 'echo', params: null }, 7],
    [{ jsonrpc: '2.0', id: 7, method: 'echo', parms: [] }, 7],
    [{ jsonrpc: '2.0', id: {}, method: 'echo' }, null],
    [{ jsonrpc: '2.0', id: [1], method: 'echo' }, null],
    [{ jsonrpc: '2.0', id: true, method: 'echo' }, null],
    [{ jsonrpc: '2.0', id: 2 ** 53, method: 'echo' }, null],
  ])('error: %j is no request', async (message, id) => {
    const { ask, calls } = create()
    expect(await ask(message)).toEqual(failure(-32_600, id))
    expect(calls).toEqual([])
  })

  test.each([
    '{"jsonrpc":"2.0","id":1e999,"method":"echo"}',
    '{"jsonrpc":"2.0","id":1,"method":"echo","__proto__":{"params":[1]}}',
    '{"__proto__":{"jsonrpc":"2.0","id":1,"method":"echo"}}',
  ])('error: %s is no request', async (line) => {
    const { raw, calls } = create()
    expect(JSON.parse((await raw(line)) ?? '')).toMatchObject({ error: { code: -32_600 } })
    expect(calls).toEqual([])
  })

  test("error: passes on the method's error", async () => {
    const { ask, log } = create()
    expect(await ask(call('refuse'))).toEqual({
      jsonrpc: '2.0',
      id: 1,
      error: { code: -32_003, message: 'It is too much.', data: { limit: '5' } },
    })
    expect(log.entries.filter(({ level }) => level === 'error')).toEqual([])
  })

  test.each(['break', 'unwritable', 'unwritableRefusal'])(
    'error: an unexpected error (%s) is for the log alone',
    async (method) => {
      const { ask, log } = create()
      const answer = await ask(call(method, [secret]))
      expect(answer).toEqual(failure(-32_603, 1))
      expect(JSON.stringify(answer)).not.toContain(secret)
      expect(log.entries.filter(({ level }) => level === 'error')).toEqual([
        { level: 'error', facts: { err: expect.any(Error), method }, message: 'socket method failed' },
      ])
      const written = log.entries.map(({ facts: { err: _, ...facts }, message }) => ({ facts, message }))
      expect(JSON.stringify(written)).not.toContain(secret)
    },
  )

  test('error: a megabyte of brackets', async () => {
    const { raw } = create()
    expect(JSON.parse((await raw('['.repeat(1024 * 1024))) ?? '')).toEqual(failure(-32_700))
    const deep = `{"jsonrpc":"2.0","id":1,"method":"echo","params":${'['.repeat(400_000)}${']'.repeat(400_000)}}`
    expect(JSON.parse((await raw(deep)) ?? '')).toMatchObject({ id: 1 })
  })
})

describe('a batch', () => {
  test('default: is answered in one line', async () => {
    const { ask } = create()
    expect(
      await ask([call('echo', ['a'], 1), { jsonrpc: '2.0', method: 'echo' }, 5, call('none', [], 'x'), []]),
    ).toEqual([
      { jsonrpc: '2.0', id: 1, result: ['a'] },
      failure(-32_600),
      { jsonrpc: '2.0', id: 'x', error: expect.objectContaining({ code: -32_601 }) },
      failure(-32_600),
    ])
  })

  test('behavior: of notifications only is executed without an answer', async () => {
    const { ask, calls } = create()
    expect(await ask(Array.from({ length: 3 }, (_, n) => ({ jsonrpc: '2.0', method: 'echo', params: [n] })))).toBeNull()
    expect(calls).toEqual([[0], [1], [2]])
  })

  test('behavior: of one is answered with an array of one', async () => {
    expect(await create().ask([call('echo', [])])).toEqual([{ jsonrpc: '2.0', id: 1, result: [] }])
  })

  test('error: an empty one is one invalid request', async () => {
    expect(await create().ask([])).toEqual(failure(-32_600))
  })

  test('error: one of 51 is rejected as a whole; one of 50 is not', async () => {
    const { ask, calls } = create()
    expect(await ask(Array.from({ length: 51 }, () => call('echo')))).toEqual(failure(-32_600))
    expect(calls).toEqual([])
    expect(await ask(Array.from({ length: 50 }, () => call('echo')))).toHaveLength(50)
  })
})
