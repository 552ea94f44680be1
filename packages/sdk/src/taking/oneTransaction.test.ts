// The three ways to send takes, and the state after each failure. One file, because all cases share the devnet and its
// borrower.

import type { SignedQuote } from '@firmquote/core'
import { createBatchWallet, type DevnetAccount, interestRatePoolAbi, testTokenAbi } from '@firmquote/devnet'
import { describe, expect, test } from '@jest/globals'
import {
  type Address,
  createClient,
  createWalletClient,
  custom,
  encodeAbiParameters,
  encodeFunctionData,
  erc20Abi,
  http,
  keccak256,
  type TransactionReceipt,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { noReturnTokenAbi, noReturnTokenBytecode } from '../../../devnet/test/testContracts.ts'
import { devnet, mined, now, quoteOf, request, tokens, useTestDevnet, whole } from '../../test/testDevnet.ts'
import { approveParameters, raiseNonceParameters, setOperatorParameters } from '../executability/takeQuote.ts'
import { ServiceClient } from '../serviceClient.ts'
import { bundleParameters, bundleTypedData, canBundle, readBundleState } from './bundle.ts'
import { oneTransaction } from './oneTransaction.ts'
import { planTakes } from './planTakes.ts'
import { readAtomicity, sendCalls, sendCallsParameters } from './sendCalls.ts'
import { type TakeBestParameters, takeBest } from './takeBest.ts'
import { type QuoteToTake, takeCalls } from './takeCalls.ts'

/** The next anvil account. The devnet does not fund this account, but the node has it unlocked. */
const newcomer: DevnetAccount = {
  privateKey: '0x4bbbf85ce3377467afe5d46f804f221813b2bb87f24d81f60f1fcdbf7cbf4356',
  address: '0x14dC79964da2C08b23698B3D3cc7Ca32193d9955',
}
const signer = privateKeyToAccount(newcomer.privateKey)
useTestDevnet(() => mined(devnet.deployer, mint(devnet.contracts.loanToken, newcomer.address, tokens(10_000))))

const mint = (address: Address, to: Address, amount: bigint) => ({
  address,
  abi: testTokenAbi,
  functionName: 'mint',
  args: [to, amount],
})

/** Reads all state that a take could change: balances, the allowance, and the borrower's operators. */
async function belongings(loanToken: Address = devnet.contracts.loanToken, { address }: DevnetAccount = newcomer) {
  const { quoteMarket, interestRatePool, bundlerAdapter } = devnet.contracts
  const token = { address: loanToken, abi: erc20Abi } as const
  const pool = { address: interestRatePool, abi: interestRatePoolAbi, functionName: 'isOperator' } as const
  const { publicClient } = devnet
  return {
    balance: await publicClient.readContract({ ...token, functionName: 'balanceOf', args: [address] }),
    allowance: await publicClient.readContract({ ...token, functionName: 'allowance', args: [address, quoteMarket] }),
    market: await publicClient.readContract({ ...pool, args: [address, quoteMarket] }),
    adapter: await publicClient.readContract({ ...pool, args: [address, bundlerAdapter] }),
  }
}
const nothing = { allowance: 0n, market: false, adapter: false }

const missingAll = () => ({ loanToken: devnet.contracts.loanToken, allowance: 0n, isOperator: false })
const sender = () => ({ from: newcomer.address, chainId: devnet.chainId, publicClient: devnet.publicClient })
const node = () => http(devnet.rpcUrl)
const batches = (atomic?: 'supported' | 'ready') =>
  custom(createBatchWallet(devnet, { address: newcomer.address, ...(atomic && { atomic }) }))
const walletOf = (atomic?: 'supported' | 'ready') =>
  createClient({ chain: devnet.publicClient.chain, transport: batches(atomic), pollingInterval: 20 })
const bundleState = async (loanToken = devnet.contracts.loanToken) => {
  const state = await readBundleState(devnet.publicClient, { borrower: newcomer.address, loanToken })
  if (state === null) throw new TypeError('the devnet has no adapter')
  return state
}

/** Creates a bundle signed by the new account. */
async function bundle(quotes: readonly QuoteToTake[], { deadline = now + 60n, state = bundleState() } = {}) {
  const read = await state
  const { permit, permission } = bundleTypedData(quotes, read, deadline)
  const signatures = {
    permit: permit && (await signer.signTypedData(permit)),
    permission: permission && (await signer.signTypedData(permission)),
  }
  return bundleParameters(quotes, read, deadline, signatures)
}

/** `ERC20InsufficientAllowance` is the token's own error, which no ABI here contains. */
const insufficientAllowance = '0xfb8f41b2'

/** Sends with a fixed gas limit, so that a revert is mined. A separate simulation returns the revert reason. */
async function fails(from: DevnetAccount, call: Awaited<ReturnType<typeof bundle>>): Promise<string> {
  const reason = await devnet.publicClient.simulateContract({ ...call, account: from.address }).then(
    () => 'none',
    (error: Error) => /Error: (\w+)\(/.exec(error.message)?.[1] ?? error.message,
  )
  const { status } = await mined(from, { ...call, gas: 3_000_000n })
  expect(status).toBe('reverted')
  return reason
}

async function twoQuotes() {
  const [first, second] = devnet.backers
  return [
    { signed: await quoteOf(first, whole / 2n, tokens(600)) },
    { signed: await quoteOf(second, whole / 2n, tokens(650)) },
  ]
}

describe('one by one', () => {
  test('default: permissions for exactly the cost, then the takes; no allowance remains', async () => {
    const before = await belongings()
    const calls = takeCalls(await twoQuotes(), missingAll())
    expect(calls.map(({ purpose }) => purpose)).toEqual(['approve', 'permit', 'take', 'take'])
    for (const { to, data } of calls) {
      const hash = await devnet.walletClient(newcomer).sendTransaction({ to, data })
      expect((await devnet.publicClient.waitForTransactionReceipt({ hash })).status).toBe('success')
    }
    expect(await belongings()).toEqual({ ...nothing, balance: before.balance - tokens(1_250), market: true })
  })

  test('error: a quote withdrawn midway leaves an allowance of at most its own cost', async () => {
    const [, second] = devnet.backers
    const quotes = await twoQuotes()
    const calls = takeCalls(quotes, missingAll())
    const sent: string[] = []
    for (const { to, data } of calls) {
      if (sent.length === 3) await mined(second, raiseNonceParameters())
      const sending = devnet.walletClient(newcomer).sendTransaction({ to, data, gas: 1_000_000n })
      sent.push((await devnet.publicClient.waitForTransactionReceipt({ hash: await sending })).status)
    }
    expect(sent).toEqual(['success', 'success', 'success', 'reverted'])
    expect((await belongings()).allowance).toBe(tokens(650))
    await mined(newcomer, approveParameters({ loanToken: devnet.contracts.loanToken, amount: 0n }))
    expect((await belongings()).allowance).toBe(0n)
  })
})

describe('sendCalls', () => {
  test('default: an account that has only money takes two quotes in one transaction', async () => {
    const before = await belongings()
    const wallet = walletOf()
    expect(await readAtomicity(wallet, sender())).toBe('supported')
    const receipt = await sendCalls(wallet, takeCalls(await twoQuotes(), missingAll()), sender())
    expect(receipt).toMatchObject({ status: 'success', to: newcomer.address.toLowerCase() })
    expect(await belongings()).toEqual({ ...nothing, balance: before.balance - tokens(1_250), market: true })
  })

  test('behavior: a wallet that must upgrade the account first, one that cannot, and one that does not answer', async () => {
    expect(await readAtomicity(walletOf('ready'), sender())).toBe('ready')
    expect(await readAtomicity(walletOf('ready'), { ...sender(), chainId: 1 })).toBe('unsupported')
    expect(await readAtomicity(devnet.publicClient, sender())).toBe('unsupported')
    for (const [capabilities, expected] of [
      [{ '0x0': { atomic: { status: 'supported' } } }, 'supported'],
      [{ '0x2105': { atomic: { status: 'unsupported' } } }, 'unsupported'],
      [{ '0x2105': { atomic: 'yes' } }, 'unsupported'],
      [null, 'unsupported'],
    ] as const) {
      const client = createClient({ transport: custom({ request: async () => capabilities }) })
      expect(await readAtomicity(client, sender())).toBe(expected)
    }
  })

  test('error: each part that fails leaves all as it was', async () => {
    const quotes = await twoQuotes()
    const before = await belongings()
    const wallet = walletOf()
    const send = (calls = takeCalls(quotes, missingAll())) => sendCalls(wallet, calls, sender())
    const without = (purpose: string) => takeCalls(quotes, missingAll()).filter((call) => call.purpose !== purpose)
    expect((await send(without('permit'))).status).toBe('reverted')
    expect((await send(without('approve'))).status).toBe('reverted')
    const small = approveParameters({ loanToken: devnet.contracts.loanToken, amount: tokens(1_250) - 1n })
    const allowed = { to: small.address, data: encodeFunctionData(small), value: 0n }
    expect((await send([{ purpose: 'approve', ...allowed }, ...without('approve')])).status).toBe('reverted')
    await mined(devnet.backers[1], raiseNonceParameters())
    expect((await send()).status).toBe('reverted')
    expect(await belongings()).toEqual(before)
    expect(before).toMatchObject(nothing)
  })

  test("error: the wallet's failure report determines whether the outcome is known", async () => {
    const answering = (status: object) =>
      createClient({
        transport: custom({ request: async ({ method }) => (method === 'wallet_sendCalls' ? { id: '0x1' } : status) }),
        pollingInterval: 10,
      })
    await expect(sendCalls(answering({ status: 400 }), [], sender())).rejects.toMatchObject({
      name: 'ExecutionRevertedError',
    })
    const nameless = createClient({ transport: custom({ request: async () => ({}) }) })
    await expect(sendCalls(nameless, [], sender())).rejects.toMatchObject({ code: 'CHAIN_UNAVAILABLE' })
    for (const status of [200, 500, 600]) {
      await expect(sendCalls(answering({ status }), [], sender())).rejects.toMatchObject({ code: 'CHAIN_UNAVAILABLE' })
    }
  })

  test('default: the parameters are those of EIP-5792', async () => {
    const [call] = takeCalls(await twoQuotes(), missingAll())
    if (!call) throw new TypeError('there is no call')
    expect(sendCallsParameters([call], { from: newcomer.address, chainId: 8453 })).toEqual({
      version: '2.0.0',
      chainId: '0x2105',
      from: newcomer.address,
      atomicRequired: true,
      calls: [{ to: devnet.contracts.loanToken, data: call.data, value: '0x0' }],
    })
  })
})

describe('bundle', () => {
  test('default: an account that has only money takes two quotes in one transaction', async () => {
    const before = await belongings()
    const receipt = await mined(newcomer, await bundle(await twoQuotes()))
    expect(receipt.status).toBe('success')
    expect(await belongings()).toEqual({ ...nothing, balance: before.balance - tokens(1_250), adapter: true })
    // The borrower does not sign permissions that already exist.
    expect(bundleTypedData([], await bundleState(), now)).toEqual({})
  })

  test('behavior: succeeds even if another account submits the signatures first', async () => {
    const quotes = await twoQuotes()
    const before = await belongings()
    const call = await bundle(quotes)
    const [permit, permission] = call.args[0]
    for (const first of [permit, permission]) {
      const { to, data } = first ?? {}
      const hash = await devnet.walletClient(devnet.backers[2]).sendTransaction({ to, data })
      await devnet.publicClient.waitForTransactionReceipt({ hash })
    }
    expect(await belongings()).toEqual({ ...before, allowance: tokens(1_250), adapter: true })
    expect((await mined(newcomer, call)).status).toBe('success')
    expect((await belongings()).allowance).toBe(0n)
  })

  test('error: each part that fails leaves all as it was', async () => {
    const quotes = await twoQuotes()
    const before = await belongings()
    // Expired signatures.
    expect(await fails(newcomer, await bundle(quotes, { deadline: now - 1n }))).toBe('OperatorNotApproved')
    const good = await bundleState()
    const nonceRaised = { ...good, permissionNonce: good.permissionNonce + 1n }
    expect(await fails(newcomer, await bundle(quotes, { state: Promise.resolve(nonceRaised) }))).toBe(
      'OperatorNotApproved',
    )
    const permit = good.permit && { ...good.permit, nonce: good.permit.nonce + 1n }
    expect(await fails(newcomer, await bundle(quotes, { state: Promise.resolve({ ...good, permit }) }))).toContain(
      insufficientAllowance,
    )
    // The allowance in this state is not on-chain.
    const allowed = { ...good, allowance: tokens(1_250) }
    expect(await fails(newcomer, await bundle(quotes, { state: Promise.resolve(allowed) }))).toContain(
      insufficientAllowance,
    )
    // Another account submits the valid signatures in its own bundle.
    const stolen = await bundle(quotes)
    expect(await fails(devnet.borrowers[1], stolen)).toBe('OperatorNotApproved')
    await mined(devnet.backers[1], raiseNonceParameters())
    expect(await fails(newcomer, stolen)).toBe('QuoteNotExecutable')
    expect(await belongings()).toEqual(before)
    expect(before).toMatchObject(nothing)
  })

  test('error: a nonce used between signing and sending', async () => {
    const call = await bundle(await twoQuotes())
    const before = await belongings()
    await mined(newcomer, { ...setOperatorParameters({ approved: false }) })
    expect(await fails(newcomer, call)).toBe('OperatorNotApproved')
    expect(await belongings()).toEqual(before)
  })

  test('behavior: no bundle without an adapter of this market, and a failed read is an error', async () => {
    const { loanToken, keeperBundler } = devnet.contracts
    const parameters = { borrower: newcomer.address, loanToken }
    const read = (change: object) => readBundleState(devnet.publicClient, { ...parameters, ...change })
    expect(await read({ bundlerAdapterAddress: keeperBundler })).toBeNull()
    expect(await read({ chainId: 1 })).toMatchObject({ permit: null })
    const broken = createClient({
      transport: custom({ request: async () => Promise.reject(new Error('gone')) }, { retryCount: 0 }),
    })
    await expect(readBundleState(broken, parameters)).rejects.toMatchObject({ code: 'CHAIN_UNAVAILABLE' })
  })
})

describe('a token like USDT', () => {
  /** Creates a pool for a token like USDT, with one series and one quote. */
  async function pool() {
    const { deployer, contracts, pools, publicClient } = devnet
    const deployed = await devnet.walletClient(deployer).deployContract({
      abi: noReturnTokenAbi,
      bytecode: noReturnTokenBytecode,
    })
    const loanToken = (await publicClient.waitForTransactionReceipt({ hash: deployed })).contractAddress as Address
    const { interestRatePool: address, morphoAdapter } = contracts
    const { market } = pools[0]
    const expiry = now + 86_400n
    const setUp = { address, abi: interestRatePoolAbi }
    await mined(deployer, { ...setUp, functionName: 'createPool', args: [loanToken, morphoAdapter, market] })
    const encode = (types: string[], values: unknown[]) =>
      keccak256(
        encodeAbiParameters(
          types.map((type) => ({ type })),
          values,
        ),
      )
    const poolId = encode(['address', 'address', 'bytes32'], [loanToken, morphoAdapter, market])
    await mined(deployer, { ...setUp, functionName: 'createSeries', args: [poolId, expiry, tokens(1_000_000)] })
    const [maker] = devnet.backers
    for (const { address: to } of [maker, newcomer]) await mined(deployer, mint(loanToken, to, whole))
    await mined(maker, approveParameters({ loanToken, amount: whole }))
    const seriesKey = encode(['bytes32', 'uint256'], [poolId, expiry])
    return { loanToken, signed: await quoteOf(maker, whole, tokens(500), { poolId, seriesKey }) }
  }

  test('behavior: without permits, a bundle needs an existing allowance', async () => {
    const { loanToken, signed } = await pool()
    const state = await bundleState(loanToken)
    expect(state.permit).toBeNull()
    expect(canBundle([{ signed }], state)).toBe(false)
    await mined(newcomer, approveParameters({ loanToken, amount: tokens(500) }))
    const allowed = await bundleState(loanToken)
    expect(canBundle([{ signed }], allowed)).toBe(true)
    const call = await bundle([{ signed }], { state: Promise.resolve(allowed) })
    expect(call.args[0]).toHaveLength(2)
    expect((await mined(newcomer, call)).status).toBe('success')
    expect(await belongings(loanToken)).toMatchObject({ allowance: 0n, adapter: true })
  })
})

describe('oneTransaction', () => {
  const common = () => ({
    request: request(),
    limit: { maxVrtAmount: tokens(2_000) },
    borrower: newcomer.address,
    publicClient: devnet.publicClient,
  })
  const sendNothing = async (): Promise<TransactionReceipt> => {
    throw new TypeError('nothing is sent one by one')
  }
  const send = (call: object) => mined(newcomer, call)
  const forms = {
    sendCalls: () =>
      oneTransaction({
        borrower: newcomer.address,
        publicClient: devnet.publicClient,
        walletClient: walletOf('ready'),
      }),
    bundle: () => oneTransaction({ borrower: signer, publicClient: devnet.publicClient, send }),
  }
  const take = (quotes: SignedQuote[], change: Partial<TakeBestParameters>) =>
    takeBest(
      quotes.map((quote) => ({ quote })),
      { ...common(), send: sendNothing, ...change },
    )

  test.each(['sendCalls', 'bundle'] as const)(
    'default: takeBest takes all in one transaction, by %s, and tells of each position',
    async (form) => {
      const quotes = (await twoQuotes()).map(({ signed }) => signed)
      const result = await take(quotes, { sendTogether: forms[form]() })
      expect(result).toMatchObject({ notional: whole, cost: tokens(1_250), failed: [] })
      expect(result.taken.map(({ signed }) => signed)).toEqual(quotes)
      const [first, second] = result.taken
      expect(second?.receipt.transactionHash).toBe(first?.receipt.transactionHash)
      expect(second?.positionId).toBe((first?.positionId ?? 0n) + 1n)
      expect((await belongings()).allowance).toBe(0n)
    },
  )

  test.each([
    { wallet: 'a local account', transactions: 1, account: () => signer, transport: () => node() },
    { wallet: 'a wallet that batches', transactions: 1, account: () => newcomer.address, transport: () => batches() },
    // The permissions are granted, and then used up or kept.
    { wallet: 'a plain wallet', transactions: 4, account: () => newcomer.address, transport: () => node() },
  ])('default: takeBest needs only a client and the wallet client of $wallet', async (given) => {
    const quotes = (await twoQuotes()).map(({ signed }) => ({ quote: signed }))
    const walletClient = createWalletClient({
      ...{ account: given.account(), chain: devnet.publicClient.chain, transport: given.transport() },
      pollingInterval: 20,
    })
    const before = await devnet.publicClient.getTransactionCount({ address: newcomer.address })
    const limit = { maxVrtAmount: tokens(2_000) }
    const result = await takeBest(quotes, { client: new ServiceClient(), request: request(), limit, walletClient })
    expect(result).toMatchObject({ notional: whole, cost: tokens(1_250), failed: [] })
    expect((await belongings()).allowance).toBe(0n)
    const sent = (await devnet.publicClient.getTransactionCount({ address: newcomer.address })) - before
    expect(sent).toBe(given.transactions)
  })

  test('error: takeBest requires a wallet client with an account, or what it would provide', async () => {
    const walletClient = createWalletClient({ transport: node() })
    const { publicClient } = devnet
    const failures = [{ walletClient }, {}, { publicClient }, { publicClient, borrower: newcomer.address }].map(
      (change) =>
        takeBest([], { request: request(), limit: { maxApr: 1 }, ...change }).catch((error: Error) => error.message),
    )
    expect(await Promise.all(failures)).toEqual([
      expect.stringContaining('walletClient: must have an account: pass it to createWalletClient.'),
      expect.stringContaining('publicClient: must be a viem client'),
      expect.stringContaining('borrower: is required without a walletClient.'),
      expect.stringContaining('send: must be a function, unless a walletClient is given.'),
    ])
  })

  test.each(['sendCalls', 'bundle'] as const)(
    'behavior: by %s, all are planned again without the quote that made all revert',
    async (form) => {
      const [, second, third] = devnet.backers
      const quotes = (await twoQuotes()).map(({ signed }) => signed)
      const spare = await quoteOf(third, whole / 2n, tokens(900))
      const before = await belongings()
      let times = 0
      const together = forms[form]()
      const result = await take([...quotes, spare], {
        sendTogether: async (plan) => {
          times += 1
          if (times === 1) await mined(second, raiseNonceParameters())
          if (times === 2) expect(await belongings()).toEqual(before)
          return together(plan)
        },
      })
      expect(times).toBe(2)
      expect(result.taken.map(({ signed }) => signed)).toEqual([quotes[0], spare])
      expect(result.failed.map(({ signed }) => signed)).toEqual([quotes[1]])
      expect((await belongings()).balance).toBe(before.balance - tokens(1_500))
    },
  )

  test('error: if the answer is lost, only the quotes that were asked for count as taken', async () => {
    const quotes = (await twoQuotes()).map(({ signed }) => signed)
    const plan = await planTakes(
      quotes.map((quote) => ({ quote })),
      common(),
    )
    const interrupted = await take(quotes.slice(0, 1), {
      sendTogether: async () => {
        await forms.sendCalls()(plan)
        throw new TypeError('the answer is lost')
      },
    }).catch((error: unknown) => error)
    expect(interrupted).toMatchObject({ code: 'TAKE_INTERRUPTED', taken: [{ signed: quotes[0] }], unknown: null })
  })

  test('behavior: takes quotes one by one if the chain does not reveal which one reverted', async () => {
    const [signed] = (await twoQuotes()).map((quote) => quote.signed)
    const receipt = await mined(newcomer, setOperatorParameters())
    const reverted: TransactionReceipt = { ...receipt, status: 'reverted', logs: [] }
    const { loanToken } = devnet.contracts
    await mined(newcomer, approveParameters({ loanToken, amount: tokens(600) }))
    let times = 0
    const result = await take(signed ? [signed] : [], {
      send,
      sendTogether: async () => {
        times += 1
        return reverted
      },
    })
    expect(times).toBe(1)
    expect(result).toMatchObject({ notional: whole / 2n, failed: [] })
  })

  test('error: a receipt of another transaction is not a take, and an unknown outcome aborts', async () => {
    const quotes = (await twoQuotes()).map(({ signed }) => signed)
    const receipt = await mined(newcomer, setOperatorParameters())
    await expect(take(quotes, { sendTogether: async () => receipt })).rejects.toMatchObject({
      code: 'TAKE_INTERRUPTED',
      unknown: { signed: quotes[0] },
      cause: { code: 'INVALID_INPUT' },
    })
  })

  test('behavior: sends nothing for a single call, missing funds or disallowed permissions', async () => {
    const quotes = (await twoQuotes()).map((quote) => ({ quote: quote.signed }))
    const plan = await planTakes(quotes, common())
    expect(plan.missing).toEqual(['allowance', 'operator'])
    const { publicClient } = devnet
    const local = { borrower: signer, publicClient, send: sendNothing }
    expect(await oneTransaction({ ...local, permits: false })(plan)).toBeNull()
    const wallet = { borrower: newcomer.address, publicClient, walletClient: walletOf() }
    expect(await oneTransaction({ ...wallet, permits: false })(plan)).toBeNull()
    expect(await oneTransaction({ borrower: newcomer.address, publicClient })(plan)).toBeNull()
    expect(await oneTransaction(wallet)({ ...plan, missing: ['balance'] })).toBeNull()
    expect(await oneTransaction(wallet)({ ...plan, takes: [] })).toBeNull()
    await mined(newcomer, setOperatorParameters())
    await mined(newcomer, approveParameters({ loanToken: devnet.contracts.loanToken, amount: tokens(600) }))
    const one = await planTakes(quotes.slice(0, 1), common())
    expect(one.takes).toHaveLength(1)
    expect(await oneTransaction(wallet)(one)).toBeNull()
    expect(await belongings()).toMatchObject({ allowance: tokens(600), adapter: false })
  })

  test("behavior: a bundle's signatures expire soon, and no later than the quotes", async () => {
    const [maker] = devnet.backers
    const deadlines: bigint[] = []
    const sendTogether = oneTransaction({
      borrower: {
        ...signer,
        signTypedData: async (typedData) => {
          deadlines.push((typedData.message as { deadline: bigint }).deadline)
          return signer.signTypedData(typedData)
        },
      },
      publicClient: devnet.publicClient,
      send,
    })
    const soon = await quoteOf(maker, whole / 2n, tokens(600), { deadline: now + 90n })
    expect((await take([soon], { sendTogether })).notional).toBe(whole / 2n)
    expect(deadlines).toEqual([soon.deadline, soon.deadline])
    deadlines.length = 0
    expect((await take([await quoteOf(maker, whole / 2n, tokens(600))], { sendTogether })).notional).toBe(whole / 2n)
    const [allowance] = deadlines
    expect(allowance).toBeGreaterThanOrEqual(now + 180n)
    expect(allowance).toBeLessThan(now + 300n)
  })
})
