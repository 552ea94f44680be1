/**
 * Attributes of a span: public ids, codes and counts. They never hold an account, an amount, a key, a signature or a borrower's
 * id.
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
  /** Marks the span as failed. `type` is a code or the name of an error, never its message. */
  fail(type: string): void
  /** Records a child span that ends now. `startedAt` comes from {@link Tracing.now}. */
  past(name: string, startedAt: number): void
  end(): void
}

/** Options of {@link Tracing.begin}. */
export type SpanStart = {
  kind: SpanKind
  /** A valid `traceparent` to continue. Without one, a new trace begins. */
  parent?: string | undefined
  /**
   * Whether the parent span belongs to this program, or to one that it works for. The parent's sampling decision is then final.
   * From any other caller, only a decision against tracing counts.
   */
  isOwn?: boolean
  /** Start time from {@link Tracing.now}. Default: now. */
  startedAt?: number
  attributes?: SpanAttributes
}

/** Records traces of a program. No method throws or waits for the collector. */
export type Tracing = {
  /** Milliseconds, for `startedAt`. */
  now(): number
  /** Begins a span for a request from outside. Null if the sampler or the span budget leaves it out. */
  begin(name: string, start: SpanStart): Span | null
  /** Runs work whose steps become children of `span`. With null, they are not recorded. */
  run<T>(span: Span | null, work: () => T): T
  /** Span of the running work. */
  current(): Span | null
  /** Runs a step of the current work in a child span, or without one if there is no current span. */
  step<T>(
    name: string,
    work: (span: Span | null) => Promise<T>,
    options?: { kind?: SpanKind; attributes?: SpanAttributes },
  ): Promise<T>
  /** Sends the remaining spans, within a time limit. */
  close(): Promise<void>
}
