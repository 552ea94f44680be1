import { testFaultyNode } from '../testing/testFaultyNode.ts'

// `faultyNode.trial.ts` plays more.
testFaultyNode({ count: 800, seed: 20_261_121 })
