import { rounds, seed } from '@firmquote/testing/trial'
import { testFaultyNode } from '../testing/testFaultyNode.ts'

testFaultyNode({ count: 2_000 * rounds, seed })
