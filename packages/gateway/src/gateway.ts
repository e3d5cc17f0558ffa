import { join } from 'node:path'
import type { Logger } from 'pino'
import { deliver } from './delivery.ts'
import type { GatewayKey } from './gateway-keys.ts'
import { startHeartbeat } from './heartbeat.ts'
import { Line } from './line.ts'
import { type Note, Outbox } from './outbox.ts'
import type { Report } from './report.ts'
import { startSender } from './sender.ts'

/** What a source gets of its gateway. */
export interface SourceGround {
  name: string
  /** Takes a report, and with it a note that a later life of the source finds in `notes`. */
  report: (report: Report, note?: Note) => void
  /** Notes by name, as the last life left them. */
  notes: ReadonlyMap<string, string>
  line: Line
  log: Logger
}

/** Starts telling what a gateway's instruments report; answers the function that stops it. */
export type Source = (gateway: SourceGround) => () => void

export interface GatewayOptions {
  gateway: GatewayKey
  serverUrl: string
  /** Directory of all outboxes. */
  outboxDir: string
  outboxMaxBytes: number
  source: Source | null
  log: Logger
}

export interface RunningGateway {
  stop(): Promise<void>
}

const REQUEST_TIMEOUT_MS = 20_000

/** One gateway: source → outbox → server, with a heartbeat beside it. */
export async function startGateway(options: GatewayOptions): Promise<RunningGateway> {
  const { name, key } = options.gateway
  const log = options.log.child({ gateway: name })
  const outbox = await Outbox.open({
    directory: join(options.outboxDir, name),
    gateway: name,
    maxBytes: options.outboxMaxBytes,
  })
  const to = { serverUrl: options.serverUrl, gateway: name, key, timeoutMs: REQUEST_TIMEOUT_MS }
  const line = new Line()
  const send = (items: readonly string[], signal: AbortSignal) =>
    line.carry((carried) => deliver(to, items, carried), signal)
  const senders = [
    startSender({ outbox, lanes: ['alarms', 'statuses'], deliver: send, log }),
    startSender({ outbox, lanes: ['logs'], deliver: send, log }),
  ]
  const wakeAll = () => {
    for (const sender of senders) sender.wake()
  }
  const heart = startHeartbeat({ name, outbox, send, onRecovery: wakeAll, log })
  const report = (told: Report, note?: Note) => {
    outbox.append(told, note).catch((error: unknown) => {
      log.error(
        { err: error, type: told.type },
        'A report could not be written to the outbox and is lost. Check the disk.',
      )
    })
  }
  const stopSource = options.source?.({ name, report, notes: outbox.notes, line, log })
  return {
    async stop() {
      stopSource?.()
      await Promise.all([heart.stop(), ...senders.map((sender) => sender.stop())])
      await outbox.close()
    },
  }
}
