import { accountPositionsShape, positionsQueryShape } from '../wire/index.ts'
import { endpoint } from './endpoint.ts'

export const getPositions = /* @__PURE__ */ endpoint({
  id: 'getPositions',
  method: 'get',
  path: '/positions/all',
  tag: 'Markets',
  summary: "An account's variable-rate debts and open fixed positions",
  query: positionsQueryShape,
  answers: { 200: { description: 'Debts and positions, at one block.', shape: accountPositionsShape } },
  problems: ['CHAIN_UNAVAILABLE', 'STORAGE_UNAVAILABLE'],
  examples: ({ account }) => ({ address: { account: { summary: 'An account', value: account } } }),
})
