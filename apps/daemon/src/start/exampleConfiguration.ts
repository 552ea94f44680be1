/**
 * The configuration that `firmquote-daemon init` writes. It quotes every pool of a service on the local machine.
 */
export const exampleConfiguration = `# Configuration of firmquote-daemon. Environment variables override all settings except \`policy\`, \`hooks\`, \`alerts\` and the
# limits of the keeper.

service:
  # URL of the service.
  url: http://localhost:3005

chain:
  # URL of a JSON-RPC node. It is never logged, because it often contains an API key.
  rpcUrl: http://127.0.0.1:8545
  chainId: 8453
  # The daemon does not quote while the newest block is older than this.
  maxBlockAgeSeconds: 30

key:
  # An Ethereum V3 keystore. The password comes from FIRMQUOTE_KEYSTORE_PASSWORD, from a file, or from a prompt.
  keystore: ./keystore.json
  # passwordFile: ./password

# Directory of the database with all outstanding quotes. Use a separate one for each key, on a local disk.
dataDir: ./data

# Unix socket for control (pause, resume, status, ...). Only the daemon's user can open it.
socket: /tmp/service.sock

logLevel: info

# Hooks: either a program, which runs without a shell, reads one line of JSON and exits with 0, or a module's default export.
# hooks:
#   # Called at least once for each fill, and retried until it succeeds, even across restarts.
#   onFilled:
#     command: [./hedge, --live]
#     # module: ./hedge.mjs
#     # filled, or final to wait until the block is final.
#     when: filled
#     timeoutSeconds: 30
#   # Called once for each alert. Takes the same options, except \`when\`.
#   onAlert: { command: [./page] }

# Settles matured positions in batches, and withdraws the maker's credits. own settles only the maker's positions, all settles
# every account's (without a reward), and off disables the keeper. The maker pays the gas.
keeper: off
# Maximum gas per transaction, and maximum gas price.
keeperMaxGas: 10000000
keeperMaxGasPriceGwei: 5
# Value of one native coin in whole loan tokens. The keeper settles the maker's own position when it frees at least ten times
# its gas cost, or keeperLatestHours after its expiry.
keeperTokensPerCoin: 5000
keeperLatestHours: 72

# Takes the checkpoint of each series in which the maker has a position, in the first blocks after its expiry, even with
# keeper: off. A late checkpoint makes payouts inaccurate. The maker pays the gas. keeperMaxGasPriceGwei applies.
checkpoints: true

# Prometheus metrics at http://127.0.0.1:9464/metrics, reachable only from this machine.
# metrics: { port: 9464 }

# Alert thresholds: the balance or allowance as a percentage of the maker's total in a token, and the native coins as the
# number of transactions that they can pay for.
alerts: { lowPercent: 10, transactions: 20 }

# Keeps the service's receipts and checks that its log has each accepted quote. The proofs are in the folder proofs of dataDir.
# onAlert learns of broken promises. Only a trusted witness can show that an auction was never closed: list its key.
proofs: { enabled: true, maxMegabytes: 256, witnesses: [] }

# Cosigns the service's log as a witness, so that the service cannot show others a different history. The key and the state are in
# the folder witness of dataDir.
witness: { enabled: true }

# Pricing: the pool's floating rate, plus spreads for term and size, at least the floor, rounded up to a tick. Rates are simple
# APR in basis points (bps, 0.01 %). Sizes are in whole loan tokens.
policy:
  # all, or a list: [{ poolId: 0x..., series: [0x...] }]. Omit series to quote all series of the pool.
  pools: all
  # A request above the maximum or above the free funds gets a partial quote, if the borrower accepts that size.
  minNotional: 1000
  maxNotional: 1000000
  # Interpolated linearly between points, constant before the first and after the last.
  termSpread:
    - { days: 7, bps: 15 }
    - { days: 30, bps: 25 }
    - { days: 180, bps: 60 }
  # Each spread applies from its size upwards. May be negative.
  sizeSpread:
    - { from: 250000, bps: 5 }
    - { from: 500000, bps: 15 }
  tickBps: 1
  # Minimum rate. Lower rates are raised to it.
  floorBps: 50
  # The daemon treats a rate outside this range as a mistake, and declines.
  minBps: 0
  maxBps: 3000
  # Seconds from the auction's close until the quote expires. The quote's notional stays reserved until then.
  lifetimeSeconds: 150
  # Anyone can send requests, so these limit the share of the funds in a token (the smaller of balance and allowance) that may
  # be reserved, in percent: for all requests without a verified taker combined, and for each verified taker.
  unverifiedPercent: 20
  takerPercent: 25
`
