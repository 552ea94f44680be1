import { createInProcessPresence } from './inProcessPresence.ts'
import { describePresenceContract } from './presenceContract.testing.ts'

describePresenceContract('of one process', async (socketsPerBacker) => ({
  instances: [createInProcessPresence(socketsPerBacker)],
  refresh: async () => {},
}))
