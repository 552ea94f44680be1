import { describePresenceContract } from '../../test/adapters/presenceContract.ts'
import { createInProcessPresence } from './inProcessPresence.ts'

describePresenceContract('in one process', async (socketsPerBacker) => ({
  instances: [createInProcessPresence(socketsPerBacker)],
  refresh: async () => {},
}))
