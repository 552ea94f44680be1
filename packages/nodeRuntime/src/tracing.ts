/**
 * Attributes of a span: public ids, codes and counts. Attributes never contain an account, an amount, a key, a
 * signature or a borrower's id.
 */
export type SpanAttributes = Readonly<Record<string, string | number | boolean>>

/** Span kind, as defined by OpenTelemetry. */
export type SpanKind = 'server' | 'client' | 'producer' | 'consumer' | 'internal'

/** A span of a trace. */
export type Span = {
  /** The W3C Trace Context `traceparent` header that lets another program continue this trace. */
  readonly traceparent: string
  set(attributes: SpanAttributes): void
  event(name: string, attributes?: SpanAttributes): void
  /** Marks the span as failed. `type` is a code or an error's name, never its message. */
  fail(type: string): void
  /** Records a child span that ends now. `startedAt` comes from {@link Tracing.now}. */
  past(name: string, startedAt: number): void
  end(): void
}

/** Options for {@link Tracing.begin}. */
export type SpanStart = {
  kind: SpanKind
  /** A valid `traceparent` to continue. If omitted, a new trace begins. */
  parent?: string | undefined
  /**
   * Whether the parent span belongs to this program or to one on whose behalf it acts. If true, the parent's sampling
   * decision is final. If false, only a decision not to sample is respected.
   */
  isOwn?: boolean
  /** Start time from {@link Tracing.now}. Default: now. */
  startedAt?: number
  attributes?: SpanAttributes
}

/** Records a program's traces. No method throws. Only `close` waits for the collector. */
export type Tracing = {
  /** Returns the current time in milliseconds, for `startedAt`. */
  now(): number
  /** Begins a span for a request from outside. Returns null if the sampler or the span budget excludes the request. */
  begin(name: string, start: SpanStart): Span | null
  /** Runs work whose steps become children of `span`. If `span` is null, the steps are not recorded. */
  run<T>(span: Span | null, work: () => T): T
  /** Returns the running work's span, or null if it has none. */
  current(): Span | null
  /** Runs a step of the current work in a child span, or without a span if there is no current span. */
  step<T>(
    name: string,
    work: (span: Span | null) => Promise<T>,
    options?: { kind?: SpanKind; attributes?: SpanAttributes },
  ): Promise<T>
  /** Sends the remaining spans, within a time limit. */
  close(): Promise<void>
}
