import { EventEmitter } from 'node:events'
import { describe, expect, test } from '@jest/globals'
import { promptOnTerminal } from './promptOnTerminal.ts'

/** A fake terminal whose input a test supplies. */
function createTerminal() {
  const shown: string[] = []
  const modes: boolean[] = []
  const input = Object.assign(new EventEmitter(), {
    setRawMode: (mode: boolean) => void modes.push(mode),
    resume() {},
    pause() {},
  })
  return {
    input: input as never,
    output: { write: (text: string) => shown.push(text) },
    type: (text: string) => input.emit('data', Buffer.from(text)),
    shown,
    modes,
    listeners: () => input.listenerCount('data'),
  }
}

describe('promptOnTerminal', () => {
  test('default: hides the input and supports backspace', async () => {
    const terminal = createTerminal()
    const answer = promptOnTerminal('Password: ', terminal)
    for (const piece of ['pass', 'x', '\x7f', ' wörd', '\r']) terminal.type(piece)
    expect(await answer).toBe('pass wörd')
    expect(terminal.shown).toEqual(['Password: ', '\n'])
    expect([terminal.modes, terminal.listeners()]).toEqual([[true, false], 0])
  })

  test('error: Ctrl-C restores the terminal', async () => {
    const terminal = createTerminal()
    const answer = promptOnTerminal('Password: ', terminal)
    terminal.type('pa\x03')
    await expect(answer).rejects.toMatchObject({ code: 'BAD_CONFIGURATION' })
    expect([terminal.modes, terminal.listeners()]).toEqual([[true, false], 0])
  })
})
