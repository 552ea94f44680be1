// The bugs that the simulator is measured by: small changes of the sources that a person could have made.

/** One bug: in this file, below the root of the repository, a text that occurs once is replaced. */
export type PlantedBug = { name: string; file: string; find: string; replace: string }

const hub = 'apps/server/src/app/auctions/auctionHub.ts'
const running = 'apps/server/src/app/auctions/runningAuctions.ts'
const opener = 'apps/server/src/app/auctions/auctionOpener.ts'
const submissions = 'apps/server/src/app/auctions/quoteSubmissions.ts'
const local = 'apps/server/src/app/auctions/localAuction.ts'
const machine = 'apps/server/src/domain/applyAuctionEvent.ts'
const database = 'tests/simulator/src/memoryDatabase.ts'
const rows = 'apps/server/src/adapters/sqlStore/acceptedQuoteRows.ts'
const store = 'tests/simulator/src/simStore.ts'

/**
 * All of them, chosen before the simulator looked for them. Two were replaced, because they changed nothing that anyone could
 * see: a gap in the rows that are added (they are never added with one), and a row of the result that is refused at the close
 * (the hub looks at the rows before it refuses).
 */
export const plantedBugs: readonly PlantedBug[] = [
  {
    name: 'lost fsync: a quote is acknowledged before it is on disk',
    file: store,
    find: `        commit((ended) => {
`,
    replace: `        const early = given[0] as { publicRfqId: never; receivedAt: number }
        const rows = method === 'acceptQuote' ? database.findAuction({ publicRfqId: early.publicRfqId }) : null
        const isEarly = rows !== null && !rows.close
        if (isEarly) timeline.at(timeline.now() + 30, () => life.isAlive() && commit(() => {}))
        const value = { status: 'accepted', seq: (rows?.quotes.length ?? 0) + 1, receivedAt: early?.receivedAt }
        const tell = isEarly ? (onEnd: OnEnd) => onEnd({ value, lockedAt: null, waited: false }) : commit
        tell((ended) => {
`,
  },
  {
    name: 'late accept: the time of the auction is not compared',
    file: database,
    find: `      if (auction.rfq.closesAt <= time) return { status: 'closed', closedAt: auction.rfq.closesAt }
`,
    replace: '',
  },
  {
    name: 'accept after the close',
    file: database,
    find: `      if (auction.close) return { status: 'closed', closedAt: auction.close.closedAt }
      if (auction.rfq.closesAt <= time)`,
    replace: `      if (auction.close === null && auction.rfq.closesAt <= time)`,
  },
  {
    name: 'double close',
    file: database,
    find: `      if (auction.close) return { closedNow: false, auction: auctionOf(auction, knownCount) }
`,
    replace: '',
  },
  {
    name: 'early close: the store does not compare the time',
    file: database,
    find: `      if (time < auction.rfq.closesAt) return null
`,
    replace: '',
  },
  {
    name: 'a maker may have two quotes',
    file: database,
    find: `      if (other) return { status: 'quoted', hash: other.hash }
`,
    replace: '',
  },
  {
    name: 'the sequence is reused',
    file: database,
    find: 'const seq = auction.quotes.length + 1',
    replace: 'const seq = Math.max(1, auction.quotes.length)',
  },
  {
    name: 'a key is not unique',
    file: database,
    find: `rfq.openedAt - earlier.rfq.openedAt <= keyLifetimeMs`,
    replace: `rfq.openedAt - earlier.rfq.openedAt < 0`,
  },
  {
    name: 'wrong tie: equal prices go by the order of the commits',
    file: 'apps/server/src/domain/auctionRecord.ts',
    find: ` || a.arrival - b.arrival || a.seq - b.seq`,
    replace: ` || a.seq - b.seq`,
  },
  {
    name: 'the best choice is kept for another auction',
    file: running,
    find: 'choices.get(record.publicRfqId) ??',
    replace: 'choices.values().next().value ??',
  },
  {
    name: 'the best choice is made while the auction is open',
    file: 'apps/server/src/domain/auctionRecord.ts',
    find: '...(close && { best:',
    replace: '...({ best:',
  },
  {
    name: 'stale state is believed',
    file: 'apps/server/src/app/chain/freshChain.ts',
    find: `synced === null || isFresh(reading.block, synced)`,
    replace: `synced === null || isFresh(reading.block, { ...synced, number: -1n })`,
  },
  {
    name: 'the timer is forgotten when an auction is taken up again',
    file: local,
    find: '  after(Math.max(Math.ceil(closesAt + arrival.closeDelayMs - auctionTime()), 0), closeWhenDue)',
    replace:
      '  if (arrival.announced) after(Math.max(Math.ceil(closesAt + arrival.closeDelayMs - auctionTime()), 0), closeWhenDue)',
  },
  {
    name: 'the place is freed when the outcome of a commit is unknown',
    file: machine,
    find: `    case 'unknown':
      return askAgain(state, backer, pending)`,
    replace: `    case 'unknown':
      return refuse(state, backer, pending, { code: 'STORAGE_UNAVAILABLE' })`,
  },
  {
    name: 'exposure is forgotten when a backer starts anew',
    file: 'tests/simulator/src/backers.ts',
    find: 'backer.outstanding = [...backer.ledger]',
    replace: 'backer.outstanding = []',
  },
  {
    name: 'the body of a key is not compared',
    file: opener,
    find: `    if (existing.request !== key?.request) return { ok: false, rejection: { code: 'IDEMPOTENCY_KEY_REUSED' } }
`,
    replace: '',
  },
  {
    name: 'a repeated request takes a place',
    file: opener,
    find: 'if (existing) return replay(existing, key)',
    replace: 'if (existing && false) return replay(existing, key)',
  },
  {
    name: 'the start skips an auction',
    file: running,
    find: 'await Promise.all(open.map(({ publicRfqId }) => join(publicRfqId, true)))',
    replace: 'await Promise.all(open.slice(1).map(({ publicRfqId }) => join(publicRfqId, true)))',
  },
  {
    name: 'an auction that was closed late does not say so',
    file: running,
    find: 'const interrupted = resumed && isPast',
    replace: 'const interrupted = resumed && isPast && false',
  },
  {
    name: 'the place of a closed auction is not given back',
    file: running,
    find: `      releases.get(publicRfqId)?.()
`,
    replace: '',
  },
  {
    name: 'a stop in order does not wait for the auctions',
    file: hub,
    find: '!running.isDraining() || !running.isIdle() || answering > 0',
    replace: '!running.isDraining() || answering > 0',
  },
  {
    name: 'an event is told twice',
    file: local,
    find: `if (event.type === 'error' || seqOf(event) > behind) listener.event(event)`,
    replace: `listener.event(event)`,
  },
  {
    name: 'a stream that is resumed skips an event',
    file: local,
    find: 'for (const event of events) own.event(event)',
    replace: 'for (const event of events.slice(0, Math.max(1, events.length - 1))) own.event(event)',
  },
  {
    name: "the chain's refusal is ignored",
    file: machine,
    find: `  if (rejection) return refuse(state, backer, pending, rejection)
`,
    replace: '',
  },
  {
    name: 'the signature is not compared with the maker',
    file: 'apps/server/src/app/quotes/judgeQuote.ts',
    find: 'state: state && { ...state, recovered: signer } }',
    replace: 'state: state && { ...state, recovered: signer && quote.maker } }',
  },
  {
    name: 'what another instance has accepted is refused',
    file: submissions,
    find: 'return entry && (await acknowledge(entry, hash))',
    replace: 'return null',
  },
  {
    name: 'a failed close is not repeated',
    file: machine,
    find: `  if (state.phase !== 'closing') return unchanged(state)
  return { state, effects: [{ type: 'close'`,
    replace: `  if (state.phase !== 'open') return unchanged(state)
  return { state, effects: [{ type: 'close'`,
  },
  {
    name: 'the failed repetition of an unknown write is believed',
    file: machine,
    find: `      if (pending.stage !== 'storing') return askAgain(state, backer, pending)
`,
    replace: '',
  },
  {
    name: 'a reorganisation is not noticed',
    file: 'apps/server/src/domain/followChain.ts',
    find: '  if (found === newest.hash) {',
    replace: '  if (found !== undefined) {',
  },
  {
    name: 'a missing log is believed to be missing',
    file: 'apps/server/src/app/chain/sync.ts',
    find: 'if (!watched.some(({ address, topics }) => mayContain(block.logsBloom, address, topics))) return []',
    replace: 'if (block.number >= 0n) return []',
  },
  {
    name: 'writing is never found to work again',
    file: 'apps/server/src/app/storageWatch.ts',
    find: `    failingSince = null
    silentTicks = 0
`,
    replace: `    silentTicks = 0
`,
  },
  {
    name: 'every listed quote is executable',
    file: 'apps/server/src/app/quotes/quoteListing.ts',
    find: 'executable: rejection === null,',
    replace: 'executable: true,',
  },
  {
    name: 'the quote of another maker is taken',
    file: 'apps/server/src/domain/judgeSubmission.ts',
    find: `    maker: backer,
    poolId,`,
    replace: `    maker: quote.maker,
    poolId,`,
  },
  {
    name: 'the wall clock tells how long an auction is open',
    file: local,
    find: 'const auctionTime = () => openedAt + (clock.monotonic() - startedAt)',
    replace: 'const auctionTime = () => clock.now()',
  },
  {
    name: 'PostgreSQL: accept does not lock the auction',
    file: database,
    find: `      yield lock(publicRfqId)
      const time = now(at)
`,
    replace: `      const time = now(at)
`,
  },
  {
    name: 'PostgreSQL: accept goes by now(), the start of its transaction',
    file: database,
    find: `      yield lock(publicRfqId)
      const time = now(at)
`,
    replace: `      const time = now(at)
      yield lock(publicRfqId)
`,
  },
  {
    name: 'PostgreSQL: close reads the quotes before it locks the auction',
    file: database,
    find: `      yield lock(publicRfqId)
      if (auction.close) return { closedNow: false, auction: auctionOf(auction, knownCount) }
      const time = Math.floor(now(at))
      if (time < auction.rfq.closesAt) return null
      // In a later statement than the lock's, which sees what was committed while the lock was waited for.
      yield nextStatement
      const found = auctionOf(auction, knownCount)
`,
    replace: `      const found = auctionOf(auction, knownCount)
      yield lock(publicRfqId)
      if (auction.close) return { closedNow: false, auction: auctionOf(auction, knownCount) }
      const time = Math.floor(now(at))
      if (time < auction.rfq.closesAt) return null
      yield nextStatement
`,
  },
  {
    name: 'PostgreSQL: the index of keys is not unique',
    file: database,
    find: `      yield lock(key === null ? rfq.rfqId : key.key)
`,
    replace: `      yield nextStatement
`,
  },
  {
    name: 'hints are believed: the auctions of others are taken up when something is heard of them',
    file: running,
    find: 'const others = ending ? [] :',
    replace: 'const others = true ? [] :',
  },
  {
    name: 'hints are believed: rows that nothing was heard of are not read',
    file: running,
    find: 'else if (row.lastSeq > auction.state().acceptedCount) auction.readRows()',
    replace: '',
  },
  {
    name: 'the cursor is moved without compare-and-set',
    file: database,
    find: `    throw new CursorMovedError('The synced events go on from another block than those in the store.')
`,
    replace: `    return true
`,
  },
  {
    name: 'blocks are undone from whatever block is the newest',
    file: database,
    find: `      if (!goesOn(from, to)) return
`,
    replace: '',
  },
  {
    name: 'the lease of who has died is never over',
    file: database,
    find: ' && lease.until > time) return false',
    replace: ') return false',
  },
  {
    name: 'the lease goes by the clocks of those who ask for it',
    file: database,
    find: `      const time = ownClock?.() ?? 0
`,
    replace: `      const ahead = (Number.parseInt(holder.slice(2, 6), 16) % 16_000) - 8_000
      const time = (ownClock?.() ?? 0) + ahead
`,
  },
  {
    name: 'each instance counts the auctions of an address for itself',
    file: 'tests/simulator/src/instance.ts',
    find: 'quotas: counting ?',
    replace: 'quotas: counting && life.id < 0 ?',
  },
  {
    name: 'the place of who has died is never ended',
    file: 'apps/server/src/adapters/inProcessQuotas.ts',
    find: '      if (until > clock.monotonic()) break\n',
    replace: '      if (until > 0) break\n',
  },
  {
    name: 'backers with sessions on two instances are counted twice',
    file: 'tests/simulator/src/simQuotas.ts',
    find: 'for (const backer of backers) if (!own.has(backer)) elsewhere.add(backer)',
    replace: 'for (const backer of backers) elsewhere.add(backer + String(id))',
  },
  {
    name: 'a commit whose outcome is unknown is told as a refusal',
    file: local,
    find: `error instanceof OutcomeUnknownError ? 'unknown' : 'failed'`,
    replace: `error instanceof OutcomeUnknownError ? 'failed' : 'failed'`,
  },
  {
    name: 'SQL: a second quote of a maker stays counted',
    file: rows,
    find: `    yield* run(uncountQuote, { auction: counted.id })
`,
    replace: '',
  },
  {
    name: 'SQL: the arrival is kept in milliseconds',
    file: rows,
    find: `    observed_at: receivedAt,
    arrival,`,
    replace: `    observed_at: receivedAt,
    arrival: receivedAt,`,
  },
  {
    name: 'SQL: the rows of an auction come in the order of their arrival',
    file: 'apps/server/src/adapters/sqlStore/auctionRows.ts',
    find: "where('kept.seq', '>', given.after)\n    .orderBy('kept.seq')",
    replace: "where('kept.seq', '>', given.after)\n    .orderBy('kept.arrival')",
  },
]
