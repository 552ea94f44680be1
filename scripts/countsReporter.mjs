import { appendFileSync } from 'node:fs'

/** Jest's reporter for `.ci/run`: appends the counts of a run, `passed failed skipped`, to the file that FIRMQUOTE_COUNTS names. */
// biome-ignore lint/style/noDefaultExport: jest takes a reporter from a module's default export.
export default class CountsReporter {
  #file = process.env.FIRMQUOTE_COUNTS

  constructor() {
    // A run that a test starts counts nothing.
    delete process.env.FIRMQUOTE_COUNTS
  }

  onRunComplete(_contexts, { numPassedTests, numFailedTests, numPendingTests, numRuntimeErrorTestSuites }) {
    if (!this.#file) return
    // A suite that could not run has no failed test.
    appendFileSync(this.#file, `${numPassedTests} ${numFailedTests + numRuntimeErrorTestSuites} ${numPendingTests}\n`)
  }
}
