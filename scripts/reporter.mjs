import { appendFileSync } from 'node:fs'
import { missingServices, whyMissing } from './missingServices.mjs'

/** What `describeInBrowser` appends to the name of what it skips. */
const noBrowser = / \[no browser: (.+?)\](?= › )/

/**
 * Jest's reporter. Appends the counts of a run, `passed failed skipped`, to the file that FIRMQUOTE_COUNTS names, for `.ci/run`; and
 * lists after jest's summary the tests that were skipped on a machine that lacks programs.
 */
// biome-ignore lint/style/noDefaultExport: jest takes a reporter from a module's default export.
export default class Reporter {
  #counts = process.env.FIRMQUOTE_COUNTS

  constructor() {
    // A run that a test starts counts nothing.
    delete process.env.FIRMQUOTE_COUNTS
  }

  onRunComplete(
    _contexts,
    { numPassedTests, numFailedTests, numPendingTests, numRuntimeErrorTestSuites, testResults },
  ) {
    // A suite that could not run has no failed test.
    const counts = [numPassedTests, numFailedTests + numRuntimeErrorTestSuites, numPendingTests]
    if (this.#counts) appendFileSync(this.#counts, `${counts.join(' ')}\n`)

    const skipped = testResults
      .flatMap((file) => file.testResults.filter(({ status }) => status === 'pending'))
      .map(({ ancestorTitles, title }) => [...ancestorTitles, title].join(' › '))
    const byReason = Map.groupBy(skipped, (name) => noBrowser.exec(name)?.[1])
    const missing = missingServices()
    for (const [reason, names] of byReason) {
      if (reason !== undefined) list('browser', reason, names)
      else if (missing.length > 0) list(missing.map(({ name }) => name).join(', '), whyMissing(missing), names)
    }
  }
}

function list(lacking, reason, names) {
  const count = names.length === 1 ? '1 test was' : `${names.length} tests were`
  const lines = [`No ${lacking}: ${count} not run, because ${reason}.`, ...names.map((name) => `  ${name}`)]
  // Jest prints its summary after `onRunComplete`.
  process.once('exit', () => process.stderr.write(`\n${lines.join('\n').replaceAll(new RegExp(noBrowser, 'g'), '')}\n`))
}
