import { type DestinationStream, type Logger, pino } from 'pino'
import { runningSpan } from './running-span.ts'

export type Log = Logger

/**
 * Writes one JSON line per log entry. Secrets are never logged: the request serializer of `http/server.ts` cuts tokens
 * from URLs, and these fields are removed wherever they appear. While OpenTelemetry is on, an entry names its span.
 */
export function createLog(level: string, destination?: DestinationStream): Log {
  const options = {
    level,
    redact: {
      paths: [
        'authorization',
        'cookie',
        'password',
        'token',
        'key',
        '*.authorization',
        '*.cookie',
        '*.password',
        '*.token',
        'req.headers',
        'headers',
      ],
      remove: true,
    },
    mixin() {
      const span = runningSpan.getStore()
      return span ? { trace_id: span.traceId, span_id: span.spanId } : {}
    },
  }
  return destination ? pino(options, destination) : pino(options)
}
