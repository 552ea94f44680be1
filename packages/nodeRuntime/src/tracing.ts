/** Facts of a span: ids that are public, codes, counts. Never an account, an amount, a key, a signature or a borrower's id. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean>>

/** Where the work of a span is asked for and done, as OpenTelemetry has it. */
export type SpanKind = 'server' | 'client' | 'producer' | 'consumer' | 'internal'

/** A piece of work in a trace. */
export type Span = {
  /** What another program goes on from: a `traceparent` of W3C Trace Context. */
  readonly traceparent: string
  set(attributes: SpanAttributes): void
  event(name: string, attributes?: SpanAttributes): void
  /** It has failed: `type` is a code or the name of an error, never its message. */
  fail(type: string): void
  /** A step of it that is over now. `startedAt` is of {@link Tracing.now}. */
  past(name: string, startedAt: number): void
  end(): void
}

/** Where a span begins. */
export type SpanStart = {
  kind: SpanKind
  /** A valid `traceparent` that it goes on from; without one a new trace begins. */
  parent?: string | undefined
  /**
   * Whether the parent is one of this program's own traces, or of one that it works for: then the parent has decided that the trace
   * is written. What a stranger says of it is heard only when it asks for none.
   */
  isOwn?: boolean
  /** Of {@link Tracing.now}; by default now. */
  startedAt?: number
  attributes?: SpanAttributes
}

/** Writes traces of what a program does. Nothing here throws, and nothing waits for who collects them. */
export type Tracing = {
  /** Milliseconds, for `startedAt`. */
  now(): number
  /** Begins what was asked for from outside. Null when it is not written: by the sampler, or since too much is. */
  begin(name: string, start: SpanStart): Span | null
  /** Does work whose steps belong to a span; with null they are not written. */
  run<T>(span: Span | null, work: () => T): T
  /** The span that the running work belongs to. */
  current(): Span | null
  /** Does a step of the running work; the work alone where none is written. */
  step<T>(
    name: string,
    work: (span: Span | null) => Promise<T>,
    options?: { kind?: SpanKind; attributes?: SpanAttributes },
  ): Promise<T>
  /** Sends what is left, as long as that takes no longer than it may. */
  close(): Promise<void>
}
