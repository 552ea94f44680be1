/** The configuration that `firmquote-daemon init` writes: it quotes every pool of a service on this machine. */
export const exampleConfiguration = `# Configuration of firmquote-daemon. All but \`policy\`, \`hooks\`, \`alerts\` and the keeper's limits can also be set by the environment.

service:
  # The service whose RFQs are answered.
  url: http://localhost:3005

chain:
  # A JSON-RPC node of the chain. It often holds a key of its own: it is never logged.
  rpcUrl: http://127.0.0.1:8545
  chainId: 8453
  # Nothing is quoted while the newest block is older: a service refuses then as well. A devnet mines every two seconds.
  maxBlockAgeSeconds: 30

key:
  # Ethereum's V3 format. The password comes from FIRMQUOTE_KEYSTORE_PASSWORD, from a file, or is asked for.
  keystore: ./keystore.json
  # passwordFile: ./password

# The database: all outstanding quotes, also across restarts. One for each key, on a local disk.
dataDir: ./data

# Where the daemon is controlled (pause, resume, status, ...), by its own user alone.
socket: /tmp/service.sock

logLevel: info

# What is told of each fill: a program, run without a shell, that gets one line of JSON and ends with exit code 0; or a module's
# default function. At least once, until it succeeds, also across restarts.
# hooks:
#   onFilled:
#     command: [./hedge, --live]
#     # module: ./hedge.mjs
#     # Or final: only once the block can no longer be undone.
#     when: filled
#     timeoutSeconds: 30
#   # Told once of each thing that runs out; the same, without \`when\`.
#   onAlert: { command: [./page] }

# Settles positions that have matured, many in one transaction, and withdraws what that credits the maker with: own are those of
# the maker, all are anybody's, which nobody pays for. The chain's coins for it come from the maker.
keeper: off
# The most gas of one transaction, and the price of gas above which nothing is sent.
keeperMaxGas: 10000000
keeperMaxGasPriceGwei: 5
# What one of the chain's coins is worth in whole loan tokens. An own position is settled once what it frees is ten times what
# its gas costs, or so many hours after its expiry.
keeperTokensPerCoin: 5000
keeperLatestHours: 72

# Figures for Prometheus: http://127.0.0.1:9464/metrics, for this machine alone.
# metrics: { port: 9464 }

# When to warn: balance or allowance below so many percent of all the maker has in a token, coins for fewer transactions.
alerts: { lowPercent: 10, transactions: 20 }

# How RFQs are priced: the pool's floating rate, plus what the term and the size add, never below the floor, rounded up to
# a tick. Rates are simple APR in hundredths of a percent (bps), sizes are whole loan tokens.
policy:
  # Or a list: [{ poolId: 0x..., series: [0x...] }]; without series, all of a pool's.
  pools: all
  # A larger request, or one above what is free, is quoted as far as both go, if its borrower takes that much.
  minNotional: 1000
  maxNotional: 1000000
  # Linear between the points, level before the first and after the last.
  termSpread:
    - { days: 7, bps: 15 }
    - { days: 30, bps: 25 }
    - { days: 180, bps: 60 }
  # Each from its size on. May be negative.
  sizeSpread:
    - { from: 250000, bps: 5 }
    - { from: 500000, bps: 15 }
  tickBps: 1
  # A cheaper rate is raised to this.
  floorBps: 50
  # A rate outside is taken for a mistake and not quoted.
  minBps: 0
  maxBps: 3000
  # How long after its auction's close a quote can be taken. Until then its notional is reserved.
  lifetimeSeconds: 150
  # Anyone can ask. Of the funds in a token (the smaller of balance and allowance), what may be reserved in percent: for all
  # RFQs whose taker has not proven a debt of that size, and for each taker that has.
  unverifiedPercent: 20
  takerPercent: 25
`
