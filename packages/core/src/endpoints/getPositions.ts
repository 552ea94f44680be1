import * as z from 'zod/mini'
import type {
  AccountCredit,
  AccountDebt,
  AccountPositions,
  DebtCollateral,
  FixedPosition,
  PositionFilters,
  PositionSettlement,
} from '../generated/wireTypes.ts'
import { address, bytes32, type Shape, uint256, unixSeconds } from '../wire/index.ts'
import { parsedText } from '../wire/primitives.ts'
import { field, named } from '../wire/wireRegistry.ts'
import { endpoint } from './endpoint.ts'

/**
 * The default page size is large enough for almost every account's open positions, because older clients do not
 * paginate.
 */
const limitText: Shape<number> = /* @__PURE__ */ parsedText(
  {
    type: { name: 'number' },
    parse: (text) => (/^(?:[1-9][0-9]?|[1-4][0-9]{2}|500)$/.test(text) ? Number(text) : null),
    expected: 'an integer from 1 to 500',
  },
  { description: 'An integer from 1 to 500.', pattern: '^(?:[1-9][0-9]?|[1-4][0-9]{2}|500)$' },
)

const queryShape: Shape<PositionFilters> = /* @__PURE__ */ named(
  'PositionFilters',
  'Selects an account and its positions.',
  z.strictObject({
    address,
    status: field(
      z.exactOptional(z.enum(['open', 'settled', 'all'])),
      '`open` (not settled, oldest first, the default), `settled` or `all` (newest first).',
    ),
    limit: field(z.exactOptional(limitText), 'Positions per page: 1 to 500, default 500.'),
    cursor: field(z.exactOptional(z.string().check(z.maxLength(256))), '`nextCursor` of the previous page.'),
  }),
)

const collateralShape: Shape<DebtCollateral> = /* @__PURE__ */ named(
  'DebtCollateral',
  'The collateral for a debt.',
  z.object({ token: address, amount: field(uint256, 'Raw units of the token.') }),
)

const accountDebtShape: Shape<AccountDebt> = /* @__PURE__ */ named(
  'AccountDebt',
  'A variable-rate debt. Collateral is included if the service can read it at the block. That is supported for Morpho Blue.',
  z.object({
    poolId: bytes32,
    protocol: field(z.string(), 'The lending protocol.'),
    market: field(bytes32, "The market's id in its protocol."),
    loanToken: address,
    debt: field(uint256, 'The debt including interest up to the block, in raw units of the loan token.'),
    collateral: field(z.exactOptional(collateralShape), 'The collateral for the debt.'),
    lltv: field(
      z.exactOptional(uint256),
      "The share of the collateral's value that may be borrowed, in WAD. If the debt exceeds it, the debt can be liquidated.",
    ),
    oraclePrice: field(
      z.exactOptional(uint256),
      "The market's oracle price at the block: raw units of the loan token per raw unit of collateral, times 1e36.",
    ),
    liquidationPrice: field(
      z.exactOptional(uint256),
      'The price, in the same unit, below which the debt can be liquidated. It rises as interest accrues. Absent if no price is high enough.',
    ),
    healthFactor: field(
      z.exactOptional(uint256),
      'The maximum debt that the collateral supports at this price, divided by the debt, in WAD, rounded down. Below 1e18, the debt can be liquidated.',
    ),
  }),
)

const settlementShape: Shape<PositionSettlement> = /* @__PURE__ */ named(
  'PositionSettlement',
  "A position's payout, in raw units of the loan token. It is credited to both parties, who can withdraw it.",
  z.object({
    toBorrower: field(uint256, 'The floating interest on the notional, at most the notional.'),
    toMaker: field(uint256, 'The rest of the notional plus the cost.'),
    blockNumber: field(uint256, 'The block in which the position was settled.'),
    transactionHash: field(bytes32, 'The transaction that settled the position.'),
  }),
)

const creditShape: Shape<AccountCredit> = /* @__PURE__ */ named(
  'AccountCredit',
  'An amount of a token that an account can withdraw.',
  z.object({ token: address, amount: field(uint256, 'Raw units of the token.') }),
)

const fixedPositionShape: Shape<FixedPosition> = /* @__PURE__ */ named(
  'FixedPosition',
  'A fixed-rate position, open or settled. Amounts are in raw units of the loan token. Older services return open positions only, and omit `loanToken` and the fields after `openedAtBlock`.',
  z.object({
    positionId: uint256,
    role: field(z.enum(['maker', 'borrower']), "The account's side of the position."),
    maker: address,
    borrower: address,
    poolId: bytes32,
    seriesKey: bytes32,
    loanToken: z.exactOptional(address),
    expiry: field(unixSeconds, 'The time from which the position can be settled, in Unix seconds.'),
    notional: uint256,
    cost: field(uint256, 'The price that the borrower paid.'),
    openedAtBlock: uint256,
    accrued: field(
      z.exactOptional(uint256),
      "For an open position: the borrower's payout if the market's index stays at its value at the block. Exact once the series has a checkpoint.",
    ),
    settleable: field(
      z.exactOptional(z.boolean()),
      "For an open position: whether it can be settled at the block's time.",
    ),
    checkpointed: field(
      z.exactOptional(z.boolean()),
      'For an open position: whether its series has its checkpoint, after which the payout is final. Older services omit this and the next field.',
    ),
    readAt: field(
      z.exactOptional(unixSeconds),
      "For an open position: when the index from which the payout is interpolated was last read before the expiry: at the series' last opening or by `observe`. In Unix seconds.",
    ),
    settlement: field(z.exactOptional(settlementShape), 'For a settled position: the payout and its transaction.'),
  }),
)

const answerShape: Shape<AccountPositions> = /* @__PURE__ */ named(
  'AccountPositions',
  "An account's variable-rate debts in the pools' markets, its fixed-rate positions and its withdrawable credits, all at one block.",
  z.object({
    address,
    block: field(z.number(), 'The block of all values: the latest one whose events the service has stored.'),
    debts: field(z.array(accountDebtShape), 'Non-zero variable-rate debts in the markets of the pools.'),
    positions: field(
      z.array(fixedPositionShape),
      'A page of fixed-rate positions. If the account is both the maker and the borrower of a position, it appears twice.',
    ),
    withdrawable: field(
      z.exactOptional(z.array(creditShape)),
      'Non-zero withdrawable credits, by token. Older services omit this and the next field.',
    ),
    nextCursor: field(
      z.exactOptional(z.nullable(z.string())),
      'The cursor of the next page, or null on the last page.',
    ),
  }),
)

export const getPositions = /* @__PURE__ */ endpoint({
  id: 'getPositions',
  method: 'get',
  path: '/positions/all',
  tag: 'Markets',
  summary: "An account's variable-rate debts and fixed positions",
  description:
    'All values are from one block. `status` is `open` (the default), `settled` or `all`. `limit` is 1 to 500, default 500. `cursor` is the `nextCursor` of the previous page. Every page includes debts and `withdrawable`.',
  query: queryShape,
  answers: { 200: { description: 'Debts, positions and credits, at one block.', shape: answerShape } },
  problems: ['CHAIN_UNAVAILABLE', 'CHAIN_DISAGREES', 'STORAGE_UNAVAILABLE', 'RATE_LIMITED'],
  examples: ({ account }) => ({
    address: { account: { summary: 'An account', value: account } },
    status: { history: { summary: 'Open and settled positions', value: 'all' } },
    limit: { ten: { summary: 'At most ten', value: '10' } },
  }),
})
