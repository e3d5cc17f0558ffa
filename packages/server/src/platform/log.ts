import { type DestinationStream, type Logger, pino } from 'pino'

export type Log = Logger

/**
 * One JSON line for each thing worth knowing. Secrets never get in: tokens in addresses are cut by the request
 * serializer of `http/server.ts`, and these fields are removed wherever they appear.
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
