import { type DestinationStream, type Logger, pino } from 'pino'

export type Log = Logger

/**
 * Writes one JSON line per log entry. Secrets are never logged: the request serializer of `http/server.ts` cuts tokens
 * from URLs, and these fields are removed wherever they appear.
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
  }
  return destination ? pino(options, destination) : pino(options)
}
