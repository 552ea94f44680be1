const marker = / \[no browser: (.+)\]$/

/** Ends a jest run with the tests that had no browser, after jest's own summary. */
// biome-ignore lint/style/noDefaultExport: jest takes a reporter from a module's default export.
export default class MissingBrowserReporter {
  onRunComplete(_contexts, { testResults }) {
    const skipped = testResults.flatMap((file) =>
      file.testResults.flatMap(({ status, title, ancestorTitles: [first = '', ...others] }) => {
        const [end, reason] = marker.exec(first) ?? []
        return status === 'pending' && end
          ? [{ reason, name: [first.replace(end, ''), ...others, title].join(' › ') }]
          : []
      }),
    )
    // One browser may be there and another not.
    for (const [reason, tests] of Map.groupBy(skipped, ({ reason }) => reason)) {
      const count = tests.length === 1 ? '1 test was' : `${tests.length} tests were`
      const lines = [`No browser: ${count} not run, because ${reason}.`, ...tests.map(({ name }) => `  ${name}`)]
      // The summary is printed after this.
      process.once('exit', () => process.stderr.write(`\n${lines.join('\n')}\n`))
    }
  }
}
