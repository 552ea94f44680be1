import { describePresenceContract } from '../../test/adapters/presenceContract.ts'
import { createInProcessPresence } from './inProcessPresence.ts'

describePresenceContract('of one process', async (socketsPerBacker) => ({
  instances: [createInProcessPresence(socketsPerBacker)],
  refresh: async () => {},
}))
