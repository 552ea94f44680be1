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

/** A page has all open positions of nearly every account, as answers without pages had. */
const limitText: Shape<number> = /* @__PURE__ */ parsedText(
  {
    type: { name: 'number' },
    parse: (text) => (/^(?:[1-9][0-9]?|[1-4][0-9]{2}|500)$/.test(text) ? Number(text) : null),
    expected: 'a whole number from 1 to 500',
  },
  { description: 'A whole number from 1 to 500.', pattern: '^(?:[1-9][0-9]?|[1-4][0-9]{2}|500)$' },
)

const queryShape: Shape<PositionFilters> = /* @__PURE__ */ named(
  'PositionFilters',
  'Whose positions are shown, and which of them.',
  z.strictObject({
    address,
    status: field(
      z.exactOptional(z.enum(['open', 'settled', 'all'])),
      '`open`: not settled, oldest first (the default); `settled`, and `all` of both: newest first.',
    ),
    limit: field(z.exactOptional(limitText), 'The most positions of a page: 1 to 500, default 500.'),
    cursor: field(z.exactOptional(z.string().check(z.maxLength(256))), '`nextCursor` of the page before.'),
  }),
)

const collateralShape: Shape<DebtCollateral> = /* @__PURE__ */ named(
  'DebtCollateral',
  'What is put up against a debt.',
  z.object({ token: address, amount: field(uint256, 'Raw units of the token.') }),
)

const accountDebtShape: Shape<AccountDebt> = /* @__PURE__ */ named(
  'AccountDebt',
  'A variable-rate debt. What secures it is there where the service can read it at the block: on Morpho Blue.',
  z.object({
    poolId: bytes32,
    protocol: field(z.string(), 'The lending protocol.'),
    market: field(bytes32, "The market's id in its protocol."),
    loanToken: address,
    debt: field(uint256, 'With the interest up to the block, in raw units of the loan token.'),
    collateral: field(z.exactOptional(collateralShape), 'What is put up against it.'),
    lltv: field(
      z.exactOptional(uint256),
      "The part of the collateral's worth that may be owed, WAD: above it, the debt can be liquidated.",
    ),
    oraclePrice: field(
      z.exactOptional(uint256),
      "What the market's oracle says at the block: raw units of the loan token for one raw unit of collateral, times 1e36.",
    ),
    liquidationPrice: field(
      z.exactOptional(uint256),
      'The lowest price, in the same unit, at which it is safe: below it, it can be liquidated. It rises as interest accrues. Absent where no price makes it safe.',
    ),
    healthFactor: field(
      z.exactOptional(uint256),
      'What may be owed against the collateral at the price, divided by the debt, WAD, rounded down: below 1e18 the debt can be liquidated.',
    ),
  }),
)

const settlementShape: Shape<PositionSettlement> = /* @__PURE__ */ named(
  'PositionSettlement',
  'What a position paid its parties, in raw units of the loan token. It is credited to them, and theirs to withdraw.',
  z.object({
    toBorrower: field(uint256, 'The floating interest on the notional, at most the notional.'),
    toMaker: field(uint256, 'The rest of the notional, and the cost.'),
    blockNumber: field(uint256, 'The block of the settlement.'),
    transactionHash: field(bytes32, 'The transaction of the settlement.'),
  }),
)

const creditShape: Shape<AccountCredit> = /* @__PURE__ */ named(
  'AccountCredit',
  'What an account can withdraw of a token.',
  z.object({ token: address, amount: field(uint256, 'Raw units of the token.') }),
)

const fixedPositionShape: Shape<FixedPosition> = /* @__PURE__ */ named(
  'FixedPosition',
  'A fixed-rate position, open or settled. Amounts in raw units of the loan token. Services before this version have open ones alone, and leave out `loanToken` and what follows `openedAtBlock`.',
  z.object({
    positionId: uint256,
    role: field(z.enum(['maker', 'borrower']), 'Which side of it the account is.'),
    maker: address,
    borrower: address,
    poolId: bytes32,
    seriesKey: bytes32,
    loanToken: z.exactOptional(address),
    expiry: field(unixSeconds, 'When it can be settled, Unix seconds.'),
    notional: uint256,
    cost: field(uint256, 'What the borrower has paid for it.'),
    openedAtBlock: uint256,
    accrued: field(
      z.exactOptional(uint256),
      'Of an open one: what the borrower gets of it if the index of its market stays as it is at the block. Once its series has a checkpoint, exactly what it gets.',
    ),
    settleable: field(z.exactOptional(z.boolean()), "Of an open one: whether it can be settled, by the block's time."),
    settlement: field(z.exactOptional(settlementShape), 'Of a settled one: what it paid, and where.'),
  }),
)

const answerShape: Shape<AccountPositions> = /* @__PURE__ */ named(
  'AccountPositions',
  "An account's variable-rate debts in the pools' markets, its fixed-rate positions, and what it can withdraw, all at one block.",
  z.object({
    address,
    block: field(z.number(), 'The block of everything here: the newest one whose events the service has.'),
    debts: field(
      z.array(accountDebtShape),
      'Variable-rate debts on the markets of the pools; what is zero is left out.',
    ),
    positions: field(
      z.array(fixedPositionShape),
      'A page of its fixed-rate positions. An account that is both sides of one finds it twice.',
    ),
    withdrawable: field(
      z.exactOptional(z.array(creditShape)),
      'What is credited to it and not withdrawn, by token; what is zero is left out. Like the next one, services before this version leave it out.',
    ),
    nextCursor: field(z.exactOptional(z.nullable(z.string())), 'Asks for the next page; null on the last one.'),
  }),
)

export const getPositions = /* @__PURE__ */ endpoint({
  id: 'getPositions',
  method: 'get',
  path: '/positions/all',
  tag: 'Markets',
  summary: "An account's variable-rate debts and fixed positions",
  description:
    'Everything is of one block. `status` is `open` (the default), `settled` or `all`; `limit` is 1 to 500, 500 unless given; `cursor` is the `nextCursor` of the page before. Debts and `withdrawable` are on every page.',
  query: queryShape,
  answers: { 200: { description: 'Debts, positions and credits, at one block.', shape: answerShape } },
  problems: ['CHAIN_UNAVAILABLE', 'STORAGE_UNAVAILABLE'],
  examples: ({ account }) => ({
    address: { account: { summary: 'An account', value: account } },
    status: { history: { summary: 'The settled ones as well', value: 'all' } },
    limit: { ten: { summary: 'At most ten', value: '10' } },
  }),
})
