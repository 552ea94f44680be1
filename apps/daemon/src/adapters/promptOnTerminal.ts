import type { ReadStream } from 'node:tty'
import { ConfigurationError } from '../errors.ts'

const enter = ['\r', '\n']
const backspace = ['\b', '\x7f']
const interrupt = ['\x03', '\x04']

/**
 * Asks a question on a terminal without echoing the answer.
 *
 * @throws {ConfigurationError} if the user presses Ctrl-C or Ctrl-D.
 */
export function promptOnTerminal(
  question: string,
  {
    input,
    output,
  }: {
    input: Pick<ReadStream, 'on' | 'off' | 'setRawMode' | 'resume' | 'pause'>
    output: { write(text: string): unknown }
  },
): Promise<string> {
  return new Promise((resolve, reject) => {
    let typed: string[] = []
    const end = () => {
      input.off('data', onData)
      input.setRawMode(false)
      input.pause()
      output.write('\n')
    }
    const onData = (data: Buffer) => {
      // Pasted text arrives as one chunk.
      for (const character of data.toString('utf8')) {
        if (interrupt.includes(character)) {
          end()
          return reject(new ConfigurationError('The prompt was cancelled.'))
        }
        if (enter.includes(character)) {
          end()
          return resolve(typed.join(''))
        }
        typed = backspace.includes(character) ? typed.slice(0, -1) : [...typed, character]
      }
    }
    output.write(question)
    input.setRawMode(true)
    input.on('data', onData)
    input.resume()
  })
}
