/** The configuration that `firmquote-daemon init` writes: it quotes every pool of a service on this machine. */
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

# Directory of the database with all outstanding quotes. Use one per key, on a local disk.
dataDir: ./data

# Unix socket for control (pause, resume, status, ...). Only the daemon's user can open it.
socket: /tmp/service.sock

logLevel: info

# Hooks: a program, which runs without a shell, reads one line of JSON and exits with 0; or the default export of a module.
# hooks:
#   # Called for each fill, at least once, until it succeeds, also after restarts.
#   onFilled:
#     command: [./hedge, --live]
#     # module: ./hedge.mjs
#     # filled, or final: only after the block is final.
#     when: filled
#     timeoutSeconds: 30
#   # Called once for each alert; the same options, without \`when\`.
#   onAlert: { command: [./page] }

# Settles matured positions in batches, and withdraws the maker's credits: own (the maker's positions), all (those of every
# account, without a reward), or off. The maker pays the gas.
keeper: off
# Maximum gas of one transaction, and the maximum gas price.
keeperMaxGas: 10000000
keeperMaxGasPriceGwei: 5
# Value of one native coin in whole loan tokens. The keeper settles an own position when it pays ten times the cost of its
# gas, or this many hours after its expiry.
keeperTokensPerCoin: 5000
keeperLatestHours: 72

# Prometheus metrics at http://127.0.0.1:9464/metrics, for this machine only.
# metrics: { port: 9464 }

# Alert thresholds: balance or allowance, in percent of all the maker has in a token; native coins, in transactions.
alerts: { lowPercent: 10, transactions: 20 }

# Pricing: the pool's floating rate, plus spreads for term and size, at least the floor, rounded up to a tick. Rates are simple
# APR in basis points (bps, 0.01 %). Sizes are in whole loan tokens.
policy:
  # all, or a list: [{ poolId: 0x..., series: [0x...] }]; without series, all series of the pool.
  pools: all
  # A request above the maximum, or above the free funds, gets a quote for a part, if the borrower accepts that size.
  minNotional: 1000
  maxNotional: 1000000
  # Interpolated between the points, constant before the first and after the last.
  termSpread:
    - { days: 7, bps: 15 }
    - { days: 30, bps: 25 }
    - { days: 180, bps: 60 }
  # Each spread applies from its size up. May be negative.
  sizeSpread:
    - { from: 250000, bps: 5 }
    - { from: 500000, bps: 15 }
  tickBps: 1
  # A lower rate is raised to this.
  floorBps: 50
  # The daemon declines a rate outside this range as a mistake.
  minBps: 0
  maxBps: 3000
  # Seconds after the close of the auction until the quote expires. Its notional stays reserved until then.
  lifetimeSeconds: 150
  # Anyone can send requests. Percent of the funds in a token (the smaller of balance and allowance) that may be reserved: for
  # all requests without a verified taker together, and for each verified taker.
  unverifiedPercent: 20
  takerPercent: 25
`
