import { appendFileSync } from 'node:fs'
import { relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { missingServices, whyMissing } from './missingServices.mjs'

/** Matches the suffix that `describeInBrowser` appends to the names of skipped tests. */
const noBrowser = / \[no browser: (.+?)\](?= › )/

/**
 * Jest reporter. Appends a run's counts, `passed failed skipped`, to the file in FIRMQUOTE_COUNTS for `.ci/run`, and a
 * line for each failure, `0 0 0 description`. After Jest's summary, the reporter lists the tests skipped because of
 * missing programs.
 */
// biome-ignore lint/style/noDefaultExport: Jest requires a default export.
export default class Reporter {
  #counts = process.env.FIRMQUOTE_COUNTS

  constructor() {
    // Nested runs must not be counted.
    delete process.env.FIRMQUOTE_COUNTS
  }

  onRunComplete(
    _contexts,
    { numPassedTests, numFailedTests, numPendingTests, numRuntimeErrorTestSuites, testResults },
  ) {
    // A suite that fails to run reports no failed tests.
    const counts = [numPassedTests, numFailedTests + numRuntimeErrorTestSuites, numPendingTests]
    if (this.#counts)
      appendFileSync(this.#counts, [counts.join(' '), ...testResults.flatMap(describeFailures), ''].join('\n'))

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

/** One line per failed test in a file, with the start of its message. */
function describeFailures({ testFilePath, testExecError, testResults }) {
  const failed = testResults.filter(({ status }) => status === 'failed')
  const failures = failed.map(({ fullName, failureMessages }) => [fullName, failureMessages.join(' ')])
  if (testExecError) failures.push(['does not run', testExecError.message ?? ''])
  return failures.map(([test, message]) => {
    const text = stripVTControlCharacters(message).replace(/\s+/g, ' ').slice(0, 300)
    return `0 0 0 ${relative('.', testFilePath)}: ${test}: ${text}`
  })
}

function list(lacking, reason, names) {
  const count = names.length === 1 ? '1 test was' : `${names.length} tests were`
  const lines = [`No ${lacking}: ${count} not run, because ${reason}.`, ...names.map((name) => `  ${name}`)]
  // Jest prints its summary after `onRunComplete`.
  process.once('exit', () => process.stderr.write(`\n${lines.join('\n').replaceAll(new RegExp(noBrowser, 'g'), '')}\n`))
}
