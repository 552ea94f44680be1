import files, { type FileHandle } from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { createInterface } from 'node:readline'
import { createWitness } from '@firmquote/sdk/proofs'
import { openWitnessFiles } from '../src/adapters/witness/openWitnessFiles.ts'

// A witness in a process of its own. It reads checkpoints from standard input, one in each line, and prints its answers.
// Arguments: the folder, the log's key, what happens at a file operation (`kill` or `full`), and the operation's number.

const [folder = '', logKey = '', fault = '', at = '0'] = process.argv.slice(2)
let isArmed = false
let operations = 0

/** Counts an operation that changes files, and injects the fault. */
async function fail(): Promise<void> {
  if (!isArmed) return
  operations += 1
  if (operations !== Number(at)) return
  if (fault === 'full') throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' })
  process.kill(process.pid, 'SIGKILL')
  await new Promise(() => {})
}

const probe = await files.open(process.execPath)
const handles = Object.getPrototypeOf(probe) as FileHandle
await probe.close()
const { writeFile, sync, close } = handles
Object.assign(handles, {
  async writeFile(this: FileHandle, ...args: Parameters<FileHandle['writeFile']>) {
    await fail()
    // An interrupted write.
    await writeFile.call(this, String(args[0]).slice(0, 20))
    await fail()
    return this.truncate(0).then(() => this.write(String(args[0]), 0))
  },
  sync(this: FileHandle) {
    return fail().then(() => sync.call(this))
  },
  close(this: FileHandle) {
    return fail().then(() => close.call(this))
  },
})
const { rename } = files
files.rename = async (from, to) => {
  await fail()
  await rename(from, to)
  await fail()
}
syncBuiltinESMExports()

const opened = await openWitnessFiles(folder, 'maker.example.com/w1')
const witness = createWitness({ ...opened, onAlarm: ({ code }) => print({ alarm: code }) })
const unreadable = async () => Promise.reject(new TypeError('there are no tiles'))
const session = await witness.open({ key: logKey, reader: { root: unreadable, consistencyPath: unreadable } })
if (!session) throw new TypeError('the key of the log is not trusted')
print(await session.hello())
isArmed = true
for await (const line of createInterface({ input: process.stdin })) {
  print(await session.answer(JSON.parse(line)).catch((error: Error) => ({ error: error.message })))
}

function print(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value)}\n`)
}
