import type { gatewayLink, unmatchedName } from '@benchwatch/contract/ingest'
import { z } from 'zod'
import type { MessageName } from './mapping/map-facts.ts'
import type { Note } from './outbox.ts'
import { clip, type Report, type StatusReport } from './report.ts'
import type { LinkState } from './source.ts'

/**
 * The links of one source, as the heartbeat reports them. While the link with the source's own name is down for longer
 * than `lostAfterMs`, the instruments of the source are reported as disconnected, with the reason; when it is back,
 * their status is unknown until the source reads it.
 */

const MOST_REASON = 500
/** Beyond this, an instrument of a source is not remembered: a mapping takes something else for an instrument. */
const MOST_INSTRUMENTS = 1000
/** As many as the contract allows. */
const MOST_NAMES = 50

/** The note `<source>/link`. */
export const linkNote = z.object({ instruments: z.array(z.string()), isLost: z.boolean() })

export type GatewayLink = z.input<typeof gatewayLink>
type UnmatchedName = z.input<typeof unmatchedName>

export interface LinksOptions {
  source: { name: string; kind: string; lostAfterMs: number; instruments: readonly string[] }
  notes: ReadonlyMap<string, string>
  report: (report: Report, note?: Note) => Promise<void>
  keep: (note: Note) => Promise<void>
  /** Optional parts of items that the server accepts. */
  knows: () => ReadonlySet<string>
  /** Called about a write that failed. */
  onFailure: (error: unknown) => void
  onChange: () => void
  /** Called when a link comes up or goes down, with the reason. */
  onState?: (name: string, state: LinkState, reason: string | null) => void
}

interface Shown {
  state: LinkState
  since: number
  reason: string | null
}

export class Links {
  readonly #options: LinksOptions
  readonly #links = new Map<string, Shown>()
  readonly #instruments: Set<string>
  readonly #counts = { unmatched: 0, faulty: 0 }
  #lastFault: string | null = null
  #items = 0
  #lastItemAt: number | null = null
  /** In the order in which they were seen last. */
  readonly #names = new Map<string, UnmatchedName>()
  #isLost: boolean
  #timer: NodeJS.Timeout | undefined
  #isStopped = false

  constructor(options: LinksOptions) {
    this.#options = options
    const { source, notes } = options
    const stored = notes.get(this.#noteName())
    const note = stored === undefined ? { instruments: [], isLost: false } : linkNote.parse(JSON.parse(stored))
    this.#instruments = new Set([...source.instruments, ...note.instruments])
    this.#isLost = note.isLost
  }

  /** Takes the state of a link; `since` is the time of its last change. */
  set(name: string, state: LinkState, reason?: string): void {
    // A source that is stopped closes its connection, which does not count as a loss.
    if (this.#isStopped) return
    const { source } = this.#options
    const before = this.#links.get(name)
    const since = before?.state === state ? before.since : Date.now()
    const shown = { state, since, reason: state === 'down' && reason ? clip(reason, MOST_REASON) : null }
    this.#links.set(name, shown)
    if (before?.state === state && before.reason === shown.reason) return
    this.#options.onChange()
    if (before?.state !== state) this.#options.onState?.(name, state, shown.reason)
    if (name !== source.name || before?.state === state) return
    clearTimeout(this.#timer)
    if (state === 'down') this.#timer = setTimeout(() => this.#lose(), source.lostAfterMs)
    else if (this.#isLost) this.#regain()
  }

  /** Counts a message that could not be read. */
  fault(sentence: string): void {
    this.#counts.faulty++
    this.#lastFault = clip(sentence, MOST_REASON)
  }

  /** Counts a message that no rule matched. Of more names than the heartbeat may have, those seen last are kept. */
  unmatched(message: MessageName | null): void {
    this.#counts.unmatched++
    if (message === null) return
    const key = `${message.field} ${message.name}`
    const count = (this.#names.get(key)?.count ?? 0) + 1
    this.#names.delete(key)
    this.#names.set(key, { ...message, count, lastAt: new Date().toISOString() })
    const [oldest] = this.#names.keys()
    if (this.#names.size > MOST_NAMES && oldest !== undefined) this.#names.delete(oldest)
  }

  /** Counts a report that is on disk. */
  countReport(): void {
    this.#items++
    this.#lastItemAt = Date.now()
  }

  /** Remembers the instrument of a report as one behind this source. */
  noteInstrument(id: string): void {
    if (this.#instruments.has(id) || this.#instruments.size >= MOST_INSTRUMENTS) return
    this.#instruments.add(id)
    this.#options.keep(this.#note()).catch(this.#options.onFailure)
  }

  /** The links as the heartbeat reports them; counts are those of the source. */
  shown(): GatewayLink[] {
    const { source, knows } = this.#options
    const { name: own, kind } = source
    return [...this.#links].map(([name, { state, since, reason }]) => ({
      name,
      kind,
      state,
      since: new Date(since).toISOString(),
      reason,
      ...(name === own && { ...this.#counts, lastFault: this.#lastFault }),
      ...(name === own && knows().has('sources') && this.#activity()),
    }))
  }

  stop(): void {
    this.#isStopped = true
    clearTimeout(this.#timer)
  }

  #activity(): Pick<GatewayLink, 'items' | 'lastItemAt' | 'unmatchedNames'> {
    return {
      items: this.#items,
      lastItemAt: this.#lastItemAt === null ? null : new Date(this.#lastItemAt).toISOString(),
      // The one seen last comes first: a gateway with very many names cuts the list.
      unmatchedNames: [...this.#names.values()].reverse(),
    }
  }

  #lose(): void {
    if (this.#isLost) return
    this.#isLost = true
    const { source, knows } = this.#options
    const reason = `${source.kind} source ${source.name} is down. ${this.#links.get(source.name)?.reason ?? ''}`.trim()
    this.#reportAll({
      instrumentStatus: 'disconnected',
      ...(knows().has('reason') && { reason: clip(reason, MOST_REASON) }),
    })
  }

  #regain(): void {
    this.#isLost = false
    this.#reportAll({ instrumentStatus: 'Unknown' })
  }

  /** Calls are made in one tick, so that the outbox writes the statuses and the note together. */
  #reportAll(data: StatusReport['data']): void {
    const { report, keep, onFailure } = this.#options
    const time = new Date()
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
