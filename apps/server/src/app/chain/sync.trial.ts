import { rounds, seed } from '@firmquote/testing/trial'
import { testSyncHistories } from '../../testing/testSyncHistories.ts'

testSyncHistories({ count: 200 * rounds, seed })
