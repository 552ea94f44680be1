import { parentPort } from 'node:worker_threads'
import { createSignerRecovery, loadWasmEngine } from '@firmquote/core/verifier'
import { answerBytes, encodeAnswer, requestBytes } from './recoveryRecords.ts'

// Runs in a thread of its own: recovers the signers of one batch after the other, in the order of arrival.

const recoverSigner = createSignerRecovery(await loadWasmEngine())

parentPort?.on('message', (requests: Uint8Array) => {
  const count = requests.length / requestBytes
  const answers = new Uint8Array(count * answerBytes)
  for (let index = 0; index < count; index += 1) {
    const at = index * requestBytes
    const digest = requests.subarray(at, at + 32)
    encodeAnswer(answers, index, recoverSigner(digest, requests.subarray(at + 32, at + requestBytes)))
  }
  parentPort?.postMessage(answers, [answers.buffer])
})
