import { appendFileSync } from 'node:fs'

/** Jest's reporter for `.ci/run`: appends the counts of a run, `passed failed skipped`, to the file that FIRMQUOTE_COUNTS names. */
// biome-ignore lint/style/noDefaultExport: jest takes a reporter from a module's default export.
export default class CountsReporter {
  onRunComplete(_contexts, { numPassedTests, numFailedTests, numPendingTests, numRuntimeErrorTestSuites }) {
    const file = process.env.FIRMQUOTE_COUNTS
    if (!file) return
    // A suite that could not run has no failed test.
    appendFileSync(file, `${numPassedTests} ${numFailedTests + numRuntimeErrorTestSuites} ${numPendingTests}\n`)
  }
}
