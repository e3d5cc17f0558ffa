import { instrumentStatuses } from '@benchwatch/contract/vocabulary'
import type { Logger } from 'pino'
import { type GatewayLink, Links, linkNote } from './links.ts'
import { startMapping } from './mapping/mapping.ts'
import type { Outbox } from './outbox.ts'
import type { Line, StatusReport } from './report.ts'
import { retryDelay } from './sender.ts'
import type { Source, SourceContext } from './source.ts'

/** A source with what the gateway needs to know about it. */
export interface GatewaySource {
  name: string
  kind: string
  start: Source
  /** A link that is down for longer shows its instruments as disconnected. */
  lostAfterMs: number
  /** Installed product ids behind it, in addition to those that it reports. */
  instruments: readonly string[]
  /** False for a source without anyone upstream to acknowledge to: its logs and statuses need no sync of the disk. */
  isSynced: boolean
}

export interface RunSourceOptions {
  gateway: string
  outbox: Outbox
  /** Folder of the certificates that sources show and trust. */
  certificates: string
  line: Line
  log: Logger
  /** Optional parts of items that the server accepts; empty until it has answered. */
  knows: () => ReadonlySet<string>
  /** Called when the state of a link has changed. */
  onLinkChange: () => void
  /** The newest status of each instrument of the gateway. A device that repeats its status each second reports it once. */
  statuses: Map<string, KnownStatus>
}

/** `isOld`: it was reported before the gateway started, and is reported again when a source confirms it. */
type KnownStatus = StatusReport['data'] & { isOld?: true }

const STATUS_NOTE = 'server/status/'

/** Returns the statuses that were reported before the gateway started. */
export function oldStatuses(notes: ReadonlyMap<string, string>): Map<string, KnownStatus> {
  const statuses = new Map<string, KnownStatus>()
  for (const [name, value] of notes) {
    const instrumentStatus = instrumentStatuses.find((one) => one === value)
    if (name.startsWith(STATUS_NOTE) && instrumentStatus)
      statuses.set(name.slice(STATUS_NOTE.length), { instrumentStatus, isOld: true })
  }
  return statuses
}

/** Messages may name instruments that don't exist. */
const MOST_STATUSES = 10_000

export interface RunningSource {
  links(): GatewayLink[]
  stop(): Promise<void>
}

/** Runs one source. If it can't start, its link is down with the reason, and it is started again later. */
export function runSource(source: GatewaySource, options: RunSourceOptions): RunningSource {
  const { outbox, line, knows, statuses } = options
  const log = options.log.child({ source: source.name })
  const { isSynced } = source
  const append: SourceContext['report'] = async (report, note) => {
    if (report.type !== 'benchwatch.status.changed') {
      await outbox.append(report, note, { isSynced })
      return
    }
    const { subject, data } = report
    const known = statuses.get(subject)
    const isSame = known?.instrumentStatus === data.instrumentStatus && (known.run || undefined) === data.run
    if (isSame && !known.isOld && !note) return
    statuses.delete(subject)
    statuses.set(subject, data)
    const status = { name: STATUS_NOTE + subject, value: data.instrumentStatus }
    await outbox.append(report, note ?? status, { isSynced }).catch((error: unknown) => {
      statuses.delete(subject)
      throw error
    })
    // The oldest one is removed; if it occurs again, it is reported again.
    const [oldest] = statuses.keys()
    if (statuses.size <= MOST_STATUSES || oldest === undefined) return
    statuses.delete(oldest)
    await outbox.keep({ name: STATUS_NOTE + oldest, value: null })
  }
  const onFailure = (error: unknown) => log.error({ err: error }, 'A report could not be written. Check the disk.')
  const links = new Links({
    source,
    notes: outbox.notes,
    report: append,
    keep: (note) => outbox.keep(note),
    knows,
    onFailure,
    onChange: options.onLinkChange,
    onState: (name, state, reason) =>
      log[state === 'up' ? 'info' : 'warn'](`${name} is ${state}.${reason === null ? '' : ` ${reason}`}`),
  })
  let isStopping = false
  let timer: NodeJS.Timeout | undefined
  let failed = 0

  async function start(): Promise<{ stop(): Promise<void> } | null> {
    try {
      return await source.start({
        name: options.gateway,
        report: async (report, note) => {
          links.noteInstrument(report.subject)
          await append(report, note)
          links.countReport()
        },
        keep: (note) => outbox.keep(note),
        statusOf: (instrument) => statuses.get(instrument)?.instrumentStatus,
        notes: outbox.notes,
        link: (name, state, reason) => links.set(name, state, reason),
        unmatched: (name) => links.unmatched(name),
        fault: (sentence) => links.fault(sentence),
        knowsCounts: () => knows().has('count'),
        certificates: options.certificates,
        isTrial: false,
        line,
        log,
      })
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      links.set(source.name, 'down', reason)
      if (failed === 0) log.error({ err: error }, `The source ${source.name} can't start: ${reason}`)
      if (!isStopping)
        timer = setTimeout(() => {
          running = start()
        }, retryDelay(failed++))
      return null
    }
  }

  let running = start()
  return {
    links: () => links.shown(),
    async stop() {
      isStopping = true
      clearTimeout(timer)
      links.stop()
      const started = await running
      await started?.stop()
    },
  }
}

/** The notes of a source that something shown on the server depends on. */
const LASTING_NOTE = /^([^/]+)\/(?:alarm\/|storm\/|link$)/

/**
 * Returns what ends the alarms of sources that are no longer in the file, and no longer shows their instruments as
 * disconnected. A gateway without sources has no file, or lost it: its alarms stay open.
 */
export function removedSources(notes: Iterable<string>, running: readonly GatewaySource[]): GatewaySource[] {
  if (running.length === 0) return []
  const names = new Set([...notes].flatMap((note) => LASTING_NOTE.exec(note)?.[1] ?? []))
  return [...names]
    .filter((name) => !running.some((source) => source.name === name))
    .map((name) => ({
      name,
      kind: 'removed',
      async start(context) {
        const mapping = startMapping({ name, rules: [], tables: {}, lostAfter: 0, alarmsPerMinute: 1 }, context)
        // If this fails, the next start repeats it.
        await releaseInstruments(name, context).catch((error: unknown) =>
          context.log.error({ err: error }, 'A status could not be stored. Check the disk.'),
        )
        return mapping
      },
      lostAfterMs: 0,
      instruments: [],
      isSynced: true,
    }))
}

/** The status of instruments behind a link that was lost is unknown, until another source reports it. */
async function releaseInstruments(source: string, { notes, statusOf, report, keep }: SourceContext): Promise<void> {
  const note = `${source}/link`
  const { instruments, isLost } = linkNote.parse(JSON.parse(notes.get(note) ?? '{"instruments":[],"isLost":false}'))
  if (!isLost) return
  const data = { instrumentStatus: 'Unknown' } as const
  await Promise.all([
    ...instruments
      .filter((subject) => statusOf(subject) === 'disconnected')
      .map((subject) => report({ type: 'benchwatch.status.changed', subject, time: new Date(), data })),
    keep({ name: note, value: JSON.stringify({ instruments, isLost: false }) }),
  ])
}
