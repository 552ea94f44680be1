import { InvalidResponseError } from '../errors.ts'

const maxLine = 10 * 1024 * 1024

/** Splits a byte stream into lines of text, regardless of chunk boundaries. */
export class LineSplitter {
  #parts: Buffer[] = []
  #length = 0

  /**
   * @returns The lines that the chunk completes.
   * @throws {InvalidResponseError} if a line is over 10 MiB.
   */
  push(chunk: Buffer): string[] {
    const lines: string[] = []
    let rest = chunk
    for (let end = rest.indexOf(0x0a); end !== -1; end = rest.indexOf(0x0a)) {
      this.#keep(rest.subarray(0, end))
      const line = Buffer.concat(this.#parts).toString('utf8').trim()
      if (line !== '') lines.push(line)
      this.#parts = []
      this.#length = 0
      rest = rest.subarray(end + 1)
    }
    if (rest.length > 0) this.#keep(rest)
    return lines
  }

  #keep(part: Buffer): void {
    this.#length += part.length
    if (this.#length > maxLine) throw new InvalidResponseError('The daemon sent a message of more than 10 MiB.')
    this.#parts.push(part)
  }
}
