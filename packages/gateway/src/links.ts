import type { gatewayLink } from '@benchwatch/contract/ingest'
import { z } from 'zod'
import type { Note } from './outbox.ts'
import type { Report } from './report.ts'
import type { LinkState, Mishap } from './source.ts'

/**
 * The links of one source, as the heartbeat tells them. While the link with the source's own name is down for longer
 * than `lostAfterMs`, the instruments of the source are reported as disconnected, with the reason; when it is back,
 * their status is unknown until the source reads it.
 */

const MOST_REASON = 500
/** Beyond this, an instrument of a source is not remembered: a mapping takes something else for an instrument. */
const MOST_INSTRUMENTS = 1000

const linkNote = z.object({ instruments: z.array(z.string()), isLost: z.boolean() })

export type GatewayLink = z.input<typeof gatewayLink>

export interface LinksOptions {
  source: { name: string; kind: string; lostAfterMs: number; instruments: readonly string[] }
  notes: ReadonlyMap<string, string>
  report: (report: Report, note?: Note) => Promise<void>
  keep: (note: Note) => Promise<void>
  /** The server keeps the reason of a status. */
  knowsReasons: () => boolean
  /** Told about a write that failed. */
  onFailure: (error: unknown) => void
  onChange: () => void
  now?: () => number
}

interface Shown {
  state: LinkState
  since: number
  reason: string | null
}

export class Links {
  readonly #options: Required<LinksOptions>
  readonly #links = new Map<string, Shown>()
  readonly #instruments: Set<string>
  readonly #counts: Record<Mishap, number> = { unmatched: 0, faulty: 0 }
  #lastFault: string | null = null
  #isLost: boolean
  #timer: NodeJS.Timeout | undefined
  #isStopped = false

  constructor(options: LinksOptions) {
    this.#options = { now: Date.now, ...options }
    const { source, notes } = this.#options
    const stored = notes.get(this.#noteName())
    const note = stored === undefined ? { instruments: [], isLost: false } : linkNote.parse(JSON.parse(stored))
    this.#instruments = new Set([...source.instruments, ...note.instruments])
    this.#isLost = note.isLost
  }

  /** Takes the state of a link; `since` is the time of its last change. */
  set(name: string, state: LinkState, reason?: string): void {
    // A source that is stopped closes its connection, which is no loss.
    if (this.#isStopped) return
    const { source, now } = this.#options
    const before = this.#links.get(name)
    const since = before?.state === state ? before.since : now()
    this.#links.set(name, { state, since, reason: state === 'down' ? (reason?.slice(0, MOST_REASON) ?? null) : null })
    if (before?.state === state && before.reason === this.#links.get(name)?.reason) return
    this.#options.onChange()
    if (name !== source.name || before?.state === state) return
    clearTimeout(this.#timer)
    if (state === 'down') this.#timer = setTimeout(() => this.#lose(), source.lostAfterMs)
    else if (this.#isLost) this.#regain()
  }

  /** Counts a message that became no report. */
  count(mishap: Mishap, sentence?: string): void {
    this.#counts[mishap]++
    if (sentence !== undefined) this.#lastFault = sentence.slice(0, MOST_REASON)
  }

  /** Remembers the instrument of a report as one behind this source. */
  noteInstrument(id: string): void {
    if (this.#instruments.has(id) || this.#instruments.size >= MOST_INSTRUMENTS) return
    this.#instruments.add(id)
    this.#options.keep(this.#note()).catch(this.#options.onFailure)
  }

  /** The links as the heartbeat tells them; counts are those of the source. */
  shown(): GatewayLink[] {
    const { name: own, kind } = this.#options.source
    return [...this.#links].map(([name, { state, since, reason }]) => ({
      name,
      kind,
      state,
      since: new Date(since).toISOString(),
      reason,
      ...(name === own && { ...this.#counts, lastFault: this.#lastFault }),
    }))
  }

  stop(): void {
    this.#isStopped = true
    clearTimeout(this.#timer)
  }

  #lose(): void {
    if (this.#isLost) return
    this.#isLost = true
    const { source, knowsReasons } = this.#options
    const reason = `${source.kind} source ${source.name} is down. ${this.#links.get(source.name)?.reason ?? ''}`.trim()
    this.#reportAll({
      instrumentStatus: 'disconnected',
      ...(knowsReasons() && { reason: reason.slice(0, MOST_REASON) }),
    })
  }

  #regain(): void {
    this.#isLost = false
    this.#reportAll({ instrumentStatus: 'Unknown' })
  }

  /** Calls are made in one tick, so that the outbox writes the statuses and the note together. */
  #reportAll(data: Extract<Report, { type: 'benchwatch.status.changed' }>['data']): void {
    const { report, keep, onFailure, now } = this.#options
    const time = new Date(now())
    const writes = [...this.#instruments].map((subject) =>
      report({ type: 'benchwatch.status.changed', subject, time, data }),
    )
    Promise.all([...writes, keep(this.#note())]).catch(onFailure)
  }

  #note(): Note {
    return {
      name: this.#noteName(),
      value: JSON.stringify({ instruments: [...this.#instruments], isLost: this.#isLost }),
    }
  }

  #noteName(): string {
    return `${this.#options.source.name}/link`
  }
}
