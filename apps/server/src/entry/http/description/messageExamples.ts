import { passedHash, passedQuote } from './exampleFacts.ts'

const rfqId = '0123456789abcdef0123456789abcdef'
const publicRfqId = 'f8e7d6c5b4a3928170695a4b3c2d1e0f'
const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
const openedAt = 1_767_225_600_000
const closesAt = openedAt + 15_000
const { poolId, seriesKey, notional, vrtAmount, maker, signature } = passedQuote

const terms = {
  poolId,
  seriesKey,
  expiry: 1_798_761_600,
  notional,
  minNotional: '100000000000',
  minDeadline: '1767225675',
  openedAt,
  closesAt,
}

/** Example messages from backers and the server, by `type`. The challenge in `docs/protocol.md`. */
export const socketExamples: Readonly<Record<string, readonly object[]>> = {
  auth: [
    {
      type: 'auth',
      address: maker,
      timestamp: 1_767_225_600,
      signature:
        '0x225ee6caab236704625d82958ea67e4f7a50c2b95494434c7b18b99ad13d0c78608a815bce9f4d85dc780f4c85671520b53188590c267a1c7a5be03dc5e2d1b01c',
    },
  ],
  quote: [
    { type: 'quote', id: '1', rfqId: publicRfqId, quote: passedQuote },
    {
      type: 'quote',
      id: '1',
      rfqId: publicRfqId,
      quote: passedQuote,
      traceparent: `00-${traceId}-b7ad6b7169203331-01`,
    },
  ],
  decline: [{ type: 'decline', rfqId: publicRfqId, reason: 'size' }],
  resume: [{ type: 'resume', id: '2', seq: 41 }],
  ping: [{ type: 'ping', id: '3' }, { type: 'ping' }],
  witness: [
    {
      type: 'witness',
      id: '4',
      key: 'maker.example.com/w1+2cacd736+BIE5dw6ofRdfVqNUZsNMfszLjYqRtO43ol32D1uPybOU',
      size: 3,
    },
  ],
  checkpoint: [
    {
      type: 'checkpoint',
      note: 'rfq.example.com/log/1\n5\ntnSPbtepnefahP2X4aO6xvq4mZ9KQ2lcq5Uoot5DEUc=\n\n— rfq.example.com/log/1 w2wNpd2j5PtdxQKBx4ZpYqVWba8agpFbU+Gv/NqkcIdYPwyw6/6H7zf3Y13hPSZuDSSzfIn5Cx+GRq0bn00V5SRz0Qg=\n',
      from: 3,
      path: [
        '+mHj3sNDlYn0eEyJO/Mh0AhPBMVyx68raOPzNgo1tIY=',
        'kGxdJIXK5yIHOkMPTQT+F2dQdZLO8iZimurbhaLskJ0=',
        'ywCYnZSlacCmeK4EK2Pc1GJduWRAUX83put5duok7Us=',
        'EeH1WCI/THG2vhzs/R8N6HFG0llId8J7KexRn5BAITw=',
      ],
    },
  ],
  cosignature: [
    {
      type: 'cosignature',
      id: '5',
      size: 5,
      signature:
        '— maker.example.com/w1 LKzXNgAAAABpVbkMrko4DhzLpA/VCbZK7fm2pBhcRPt6xRCwplhI8p1IW6MX9AkrDnBBIZwhurxxAwF4bcbTOYjD6v/6mbut0bzbBw==',
    },
  ],
  auth_challenge: [
    {
      type: 'auth_challenge',
      challenge: `firmquote-auth|1|wss://rfq.example.com/ws/rfq|${'11'.repeat(32)}`,
      chainId: 8453,
      quoteMarket: '0x1111111111111111111111111111111111111111',
      serverTime: openedAt,
      expiresAt: openedAt + 30_000,
    },
  ],
  authenticated: [
    {
      type: 'authenticated',
      address: maker,
      sessionId: 'f1b0c0de',
      expiresAt: openedAt + 86_400_000,
      openRfqs: [],
      statusSeq: 42,
    },
  ],
  auth_failed: [
    {
      type: 'auth_failed',
      code: 'bad_signature',
      message: 'The given address did not sign this challenge.',
      serverTime: openedAt,
    },
  ],
  rfq: [
    { type: 'rfq', rfqId: publicRfqId, ...terms },
    { type: 'rfq', rfqId: publicRfqId, ...terms, traceparent: `00-${traceId}-00f067aa0ba902b7-01` },
  ],
  quote_ack: [
    {
      type: 'quote_ack',
      id: '1',
      rfqId: publicRfqId,
      status: 'accepted',
      hash: passedHash,
      receivedAt: openedAt + 900,
      closesAt,
    },
    {
      type: 'quote_ack',
      id: '1',
      rfqId: publicRfqId,
      status: 'rejected',
      code: 'NONCE_MISMATCH',
      message: "The quote's nonce is not its maker's nonce on the quote market.",
      details: { nonce: '0', makerNonce: '1' },
    },
  ],
  receipt: [
    {
      type: 'receipt',
      rfqId: publicRfqId,
      hash: passedHash,
      receipt: {
        log: 'rfq.example.com/log/1',
        mergeBy: 1_767_225_675,
        signature:
          '0x7eac9a828280f740fd23c550b9492bf59dd168ff85dde231e8fbbe250d0c3cd3408eecfcd64a0c2a9044ed06fca1056a90cbefc239940bcdeaeccadaedc9b44f1b',
        index: 1,
        path: ['/Rm9rX6BcD9i288C9fhy7trrkpoEgveUYlwrK3gJkqQ='],
        salt: 'IiIiIiIiIiIiIiIiIiIiIg==',
        leaf: 'Ifjn1sW0o5KBcGlaSzwtHg9zkDVZ3+R0dLmPVP19veHTcR/QGQCh/LFnIYjBYUT6tPOf1uUarYj29M5quIJyec//uSJmAAABm3baq4QAAAAB/ePqQoj8r8dsY3tK5L+73vrVHByJpY5LYC8nnZ4pnY0=',
      },
    },
  ],
  auction_result: [
    {
      type: 'auction_result',
      rfqId: publicRfqId,
      closedAt: closesAt,
      quoteCount: 3,
      own: { hash: passedHash },
      outcome: 'close',
    },
  ],
  auction_distance: [{ type: 'auction_distance', rfqId: publicRfqId, hash: passedHash, distance: 'within_5' }],
  quote_status: [
    {
      type: 'quote_status',
      seq: 42,
      hash: passedHash,
      status: 'filled',
      final: false,
      block: 30_000_000,
      transactionHash: `0x${'55'.repeat(32)}`,
      taker: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
      notional,
      cost: vrtAmount,
      positionId: '7',
    },
  ],
  resumed: [{ type: 'resumed', id: '2', seq: 42, oldest: 1 }],
  pong: [{ type: 'pong', id: '3', serverTime: openedAt }],
  error: [
    {
      type: 'error',
      id: '4',
      code: 'INVALID_REQUEST',
      message: 'type: must be one of quote, decline, resume, ping, witness, cosignature.',
    },
  ],
}

/** Example data for a stream's events, by event name. */
export const streamExamples: Readonly<Record<string, readonly object[]>> = {
  started: [{ rfqId, ...terms, backers: 3 }],
  quote: [
    {
      hash: passedHash,
      quote: { ...passedQuote, signature },
      apr: 2.5,
      effectiveApy: 2.564103,
      receivedAt: openedAt + 900,
    },
  ],
  progress: [{ answered: 2, expected: 3, backers: 8 }],
  done: [
    {
      rfqId,
      closedAt: closesAt,
      quoteCount: 1,
      rejectedCount: 0,
      best: { hashes: [passedHash], notional, cost: vrtAmount },
      ranking: [passedHash],
    },
  ],
  error: [{ code: 'STORAGE_UNAVAILABLE', message: 'The result cannot be stored yet.' }],
}
