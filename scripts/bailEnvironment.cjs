const { TestEnvironment } = require('jest-environment-node')

/** The mutation that a test has already detected. The remaining tests are skipped, since one detection is enough. */
let noticed

/**
 * Jest cannot stop at the first failure under Stryker. After a failure, this environment skips the rest of the file and
 * all later files, including their setup.
 */
module.exports = class BailEnvironment extends TestEnvironment {
  async handleTestEvent(event, state) {
    // biome-ignore lint/suspicious/noUndeclaredEnvVars: set by Stryker itself; no turbo task depends on it.
    const mutation = process.env.__STRYKER_ACTIVE_MUTANT__
    if (mutation === undefined) return
    if (event.name === 'test_done' && event.test.errors.length > 0) noticed = mutation
    if (noticed !== mutation) return
    if (event.name === 'run_start') skipAll(state.rootDescribeBlock)
    if (event.name === 'test_start') event.test.mode = 'skip'
  }
}

function skipAll({ children }) {
  for (const child of children) {
    child.mode = 'skip'
    if (child.type === 'describeBlock') skipAll(child)
  }
}
