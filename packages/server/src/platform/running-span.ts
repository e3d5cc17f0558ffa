import { AsyncLocalStorage } from 'node:async_hooks'

/** The request or job that the running code belongs to, while OpenTelemetry is on (telemetry.ts). */
export interface RunningSpan {
  /** 32 hexadecimal digits. */
  traceId: string
  /** 16 hexadecimal digits. */
  spanId: string
  /** Both as the W3C header that another process continues the trace from. */
  traceparent: string
  /** Records a statement that has ended: its text without its values, and its duration in milliseconds. */
  addStatement(statement: { sql: string; ms: number; hasFailed: boolean }): void
}

/**
 * Carries the span through awaits, so that a query, a log line and a written job find it without an argument. It is
 * Node's own storage: while OpenTelemetry is off, it stays empty, and a look-up is the only cost.
 */
export const runningSpan = new AsyncLocalStorage<RunningSpan>()
