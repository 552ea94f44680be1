import { testFaultyNode } from '../../test/testFaultyNode.ts'

// `faultyNode.trial.ts` tests more quotes.
testFaultyNode({ count: 400, seed: 20_261_121 })
