import type { Address } from 'viem'
import * as z from 'zod/mini'
import type { AccountDebt, AccountPositions, FixedPosition } from '../generated/wireTypes.ts'
import { address, bytes32, type Shape, uint256, unixSeconds } from '../wire/index.ts'
import { field, named } from '../wire/wireRegistry.ts'
import { endpoint } from './endpoint.ts'

const queryShape: Shape<{ address: Address }> = /* @__PURE__ */ z.strictObject({ address })

const accountDebtShape: Shape<AccountDebt> = /* @__PURE__ */ named(
  'AccountDebt',
  'A variable-rate debt.',
  z.object({
    poolId: bytes32,
    protocol: z.string(),
    market: field(bytes32, "The market's id in its protocol."),
    loanToken: address,
    debt: field(uint256, 'With the interest up to the block, in raw units of the loan token.'),
  }),
)

const fixedPositionShape: Shape<FixedPosition> = /* @__PURE__ */ named(
  'FixedPosition',
  'A fixed-rate position that has not been settled. Amounts in raw units of the loan token.',
  z.object({
    positionId: uint256,
    role: field(z.enum(['maker', 'borrower']), 'Which side of it the account is.'),
    maker: address,
    borrower: address,
    poolId: bytes32,
    seriesKey: bytes32,
    expiry: field(unixSeconds, 'When it can be settled, Unix seconds.'),
    notional: uint256,
    cost: field(uint256, 'What the borrower has paid for it.'),
    openedAtBlock: uint256,
  }),
)

const answerShape: Shape<AccountPositions> = /* @__PURE__ */ named(
  'AccountPositions',
  "An account's variable-rate debts in the pools' markets, and its open fixed-rate positions, at one block.",
  z.object({
    address,
    block: field(z.number(), 'The block that debts were read at.'),
    debts: field(
      z.array(accountDebtShape),
      'Variable-rate debts on the markets of the pools; what is zero is left out.',
    ),
    positions: field(
      z.array(fixedPositionShape),
      'Open fixed-rate positions, oldest first. An account that is both sides of one finds it twice.',
    ),
  }),
)

export const getPositions = /* @__PURE__ */ endpoint({
  id: 'getPositions',
  method: 'get',
  path: '/positions/all',
  tag: 'Markets',
  summary: "An account's variable-rate debts and open fixed positions",
  query: queryShape,
  answers: { 200: { description: 'Debts and positions, at one block.', shape: answerShape } },
  problems: ['CHAIN_UNAVAILABLE', 'STORAGE_UNAVAILABLE'],
  examples: ({ account }) => ({ address: { account: { summary: 'An account', value: account } } }),
})
