import { randomUUIDv7 } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ClassicLevel } from 'classic-level'
import { z } from 'zod'
import { itemText, type Lane, type LogReport, laneOf, type Report } from './report.ts'

/**
 * Queue of unsent items on disk. An item is written here before its report is confirmed, and stays until the server
 * has acknowledged it, no matter how the process ends in between.
 *
 * Each gateway has one LevelDB. Keys are the lane and the sequence, so each lane is read oldest first; values are
 * complete items as JSON text. Writes are batched: while one batch is in flight, the next one collects, and a batch
 * with an alarm or from a source with `isSynced` is synced to disk. A kill -9 loses nothing that was confirmed; a power
 * cut loses at most the last logs and statuses of other sources.
 */

/** The outbox can't be opened; the message tells the operator what to do. */
export class OutboxError extends Error {}

/** Lines of one log that were dropped because the outbox was full. */
interface LogGap {
  subject: string
  logType: LogReport['data']['logType']
  lines: number
  /** Times of the first and the last dropped line, as the source wrote them. */
  from: string
  to: string
}

/** Marks the line that reports a gap. If that line itself is dropped, its count is added to the next gap. */
const GAP_CODE = 'GATEWAY-GAP'

const storedLog = z.object({
  subject: z.string(),
  data: z.object({
    logType: z.string(),
    lines: z.array(z.object({ timestamp: z.string(), message: z.string(), eventCode: z.string().nullish() })),
  }),
})

export interface Batch {
  keys: string[]
  /** Items as JSON text, by sequence. */
  items: string[]
}

export interface OutboxOptions {
  directory: string
  gateway: string
  maxBytes: number
  /** Identifies the current boot of the machine; null if it can't be determined. */
  machineRun?: string | null
}

/** A value that a source needs again after a restart; null deletes it. */
export interface Note {
  name: string
  value: string | null
}

export interface ReadLimits {
  items: number
  bytes: number
}

type Put = { type: 'put'; key: string; value: string }
type Change = Put | { type: 'del'; key: string }
interface Waiting {
  /** Null if only notes are written. */
  sequence: number | null
  lane: Lane | null
  isSynced: boolean
  changes: Change[]
  done: (sequence: number) => void
  failed: (error: unknown) => void
}

const PREFIX: Record<Lane, string> = { alarms: '1', statuses: '2', logs: '3' }
const EPOCH = '!epoch'
const LAST = '!last'
const RUN = '!run'
const RESERVED = '!reserved'
const GAP = '!gap/'
const NOTE = '!note/'
/**
 * Sequence numbers are reserved on disk, synced, in blocks of this size. After a power cut the next start continues
 * after the block, because the last numbers of unsynced items may be lost, and a later item must not reuse an id that
 * the server has seen. If the machine kept running, everything written is still there, and the next start continues
 * after the last number: skipping the rest of a block would look to the server as if thousands of items were lost.
 */
const BLOCK = 10_000
/** A file of the size that opening the database can need. */
const TRIAL = 'trial'
const TRIAL_BYTES = 2_000_000
/** A full outbox is emptied to this share, so that it does not have to drop lines at each append. */
const ROOM = 0.9
/**
 * 70 gateways in one process mean 70 databases; the defaults of LevelDB (4 MB buffer, 8 MB cache) suit a single one.
 */
const SMALL = { writeBufferSize: 1_000_000, cacheSize: 500_000, maxOpenFiles: 50 }

export class Outbox {
  /** The name of one lifetime: a wiped gateway never reuses an id. It begins with the time, so later ones sort after it. */
  #epoch: string
  /** The first sequence of this run. */
  readonly #first: number
  readonly #db: ClassicLevel<string, string>
  readonly #options: OutboxOptions
  #next: number
  #reserved: number
  #bytes = 0
  #pending = 0
  #isClosing = false
  #hasFailed = false
  #reopening: Promise<void> | null = null
  #waiting: Waiting[] = []
  #flushing: Promise<void> | null = null
  readonly #lent = new Set<string>()
  /** Sizes of removed items that are still on disk, because it could not be written, by key. */
  readonly #removed = new Map<string, number>()
  readonly #gaps = new Map<string, LogGap>()
  #turn: Promise<unknown> = Promise.resolve()
  readonly #listeners = new Set<(lane: Lane) => void>()
  /** Notes by name, as the previous run left them. */
  readonly notes = new Map<string, string>()

  private constructor(
    db: ClassicLevel<string, string>,
    options: OutboxOptions,
    start: { epoch: string; next: number },
  ) {
    this.#db = db
    this.#options = options
    this.#epoch = start.epoch
    this.#first = start.next
    this.#next = start.next
    this.#reserved = start.next - 1
  }

  /** Opens or creates the outbox. Throws if another process has it open. */
  static async open(options: OutboxOptions): Promise<Outbox> {
    const db = new ClassicLevel<string, string>(options.directory, SMALL)
    await db.open().catch((error: unknown) => {
      throw new OutboxError(openingFailure(options.directory, error), { cause: error })
    })
    let epoch = await db.get(EPOCH)
    if (epoch === undefined) {
      epoch = randomUUIDv7()
      await db.put(EPOCH, epoch, { sync: true })
    }
    const { machineRun = readMachineRun() } = options
    const isSameRun = machineRun !== null && (await db.get(RUN)) === machineRun
    const next = Number((await db.get(isSameRun ? LAST : RESERVED)) ?? 0) + 1
    await db.put(RUN, machineRun ?? '', { sync: true })
    const outbox = new Outbox(db, options, { epoch, next })
    await outbox.#load()
    return outbox
  }

  async #load(): Promise<void> {
    for await (const [key, value] of this.#db.iterator()) {
      if (key.startsWith(GAP)) this.#gaps.set(key.slice(GAP.length), JSON.parse(value) as LogGap)
      else if (key.startsWith(NOTE)) this.notes.set(key.slice(NOTE.length), value)
    }
    await this.#count()
  }

  /** Counts what waits on disk. */
  async #count(): Promise<void> {
    this.#bytes = 0
    this.#pending = 0
    for await (const [key, value] of this.#db.iterator({ gte: PREFIX.alarms })) this.#added(key, value)
  }

  /**
   * Stores a report and, atomically, its note. Resolves with the sequence once the report is written to disk; alarms,
   * and what a source acknowledges upstream (`isSynced`), are also synced.
   */
  append(report: Report, note?: Note, { isSynced = false } = {}): Promise<number> {
    const lane = laneOf(report.type)
    const changes = (sequence: number) => [this.#put(lane, sequence, report), ...(note ? [noted(note)] : [])]
    return this.#enqueue(changes, { lane, isSynced: isSynced || lane === 'alarms' })
  }

  get epoch(): string {
    return this.#epoch
  }

  /**
   * Begins a new epoch, for an outbox that was restored from an older copy: the server has seen its next sequences, and
   * would take new items for repeats. What was appended in this run gets new ids. What the copy contained keeps its ids,
   * because the server may have it, and so does what is in flight.
   */
  async beginEpoch(): Promise<void> {
    const former = this.#epoch
    this.#epoch = randomUUIDv7()
    try {
      await this.#flushing
      await this.#inTurn(async () => {
        const changes: Put[] = [{ type: 'put', key: EPOCH, value: this.#epoch }]
        for await (const [key, value] of this.#db.iterator({ gte: PREFIX.alarms }))
          if (Number(key.slice(1)) >= this.#first && !this.#lent.has(key))
            changes.push({ type: 'put', key, value: value.replace(former, this.#epoch) })
        await this.#commit(changes, { sync: true })
      })
    } catch (error) {
      this.#epoch = former
      throw error
    }
  }

  /** Number of items that the server has not acknowledged. */
  get pending(): number {
    return this.#pending
  }

  #added(key: string, value: string): void {
    this.#bytes += sizeOf(key, value)
    this.#pending++
  }

  /** Stores a note alone. Resolves when it is synced to disk. */
  async keep(note: Note): Promise<void> {
    if (this.#isClosing) throw new Error('The outbox is closed.')
    await new Promise<number>((done, failed) => {
      this.#wait({ sequence: null, lane: null, isSynced: true, changes: [noted(note)], done, failed })
    })
  }

  /** Takes a sequence for an item that is not stored: a heartbeat. */
  takeSequence(): Promise<number> {
    return this.#enqueue(() => [], { lane: null, isSynced: false })
  }

  #enqueue(
    changesOf: (sequence: number) => Change[],
    { lane, isSynced }: Pick<Waiting, 'lane' | 'isSynced'>,
  ): Promise<number> {
    if (this.#isClosing) return Promise.reject(new Error('The outbox is closed.'))
    const sequence = this.#next++
    return new Promise((done, failed) => {
      this.#wait({ sequence, lane, isSynced, changes: changesOf(sequence), done, failed })
    })
  }

  #wait(waiting: Waiting): void {
    this.#waiting.push(waiting)
    this.#flushing ??= this.#flush()
  }

  #put(lane: Lane, sequence: number, report: Report): Put {
    const value = itemText({ gateway: this.#options.gateway, epoch: this.#epoch, sequence }, report)
    return { type: 'put', key: PREFIX[lane] + String(sequence).padStart(16, '0'), value }
  }

  async #flush(): Promise<void> {
    // Reports of the same tick are written to disk together.
    await Promise.resolve()
    while (this.#waiting.length > 0) {
      const group = this.#waiting.splice(0)
      try {
        await this.#write(group)
        if (this.#bytes > this.#options.maxBytes) await this.#inTurn(() => this.#makeRoom())
        for (const { done, sequence } of group) done(sequence ?? 0)
        for (const lane of new Set(group.flatMap(({ lane }) => lane ?? [])))
          for (const listener of this.#listeners) listener(lane)
      } catch (error) {
        for (const { failed } of group) failed(error)
      }
    }
    // Reset in the same tick as the last check of the queue, so that the next append starts a new flush.
    this.#flushing = null
  }

  async #write(group: readonly Waiting[]): Promise<void> {
    // A gap that has grown again since its line was written stays recorded.
    const isStale = (change: Change) =>
      change.type === 'del' && change.key.startsWith(GAP) && this.#gaps.has(change.key.slice(GAP.length))
    const changes = group.flatMap((waiting) => waiting.changes).filter((change) => !isStale(change))
    const last = group.findLast(({ sequence }) => sequence !== null)?.sequence ?? null
    const reserve = last !== null && last > this.#reserved ? last + BLOCK : null
    if (reserve !== null) changes.push({ type: 'put', key: RESERVED, value: String(reserve) })
    if (last !== null) changes.push({ type: 'put', key: LAST, value: String(last) })
    await this.#commit(changes, { sync: reserve !== null || group.some(({ isSynced }) => isSynced) })
    if (reserve !== null) this.#reserved = reserve
    for (const change of changes)
      if (change.type === 'put' && !change.key.startsWith('!')) this.#added(change.key, change.value)
  }

  /**
   * Writes changes, all or none. After a failed write, LevelDB refuses every further one, and its log may end in the
   * middle of a record, behind which a restart would find nothing. So the files are opened again before the next write.
   */
  async #commit(changes: Change[], options: { sync?: boolean } = {}): Promise<void> {
    if (this.#hasFailed) await (this.#reopening ??= this.#reopen().finally(() => (this.#reopening = null)))
    try {
      await this.#db.batch(changes, options)
    } catch (error) {
      this.#hasFailed = true
      throw error
    }
  }

  async #reopen(): Promise<void> {
    // While the disk is full, the files stay open, so that what they contain can still be sent.
    const trial = join(this.#options.directory, TRIAL)
    try {
      await writeFile(trial, Buffer.alloc(TRIAL_BYTES))
    } finally {
      await rm(trial, { force: true })
    }
    await this.#db.close()
    // A disk that is not mounted must not be taken for an empty outbox.
    await this.#db.open({ createIfMissing: false })
    await this.#count()
    this.#hasFailed = false
  }

  /**
   * Returns the oldest items of these lanes, earlier lanes first, in sequence order. They stay in the outbox until
   * they are removed or given back. An item larger than the limit is returned alone.
   */
  async read(from: readonly Lane[], limits: ReadLimits): Promise<Batch> {
    if (from.includes('logs')) await this.#reportGaps()
    return await this.#inTurn(() => this.#lend(from, limits))
  }

  async #lend(from: readonly Lane[], limits: ReadLimits): Promise<Batch> {
    const found: [key: string, value: string][] = []
    let bytes = 2
    let isFull = false
    for (const lane of from) {
      if (isFull) break
      for await (const [key, value] of this.#db.iterator({ gte: PREFIX[lane], lt: `${PREFIX[lane]}~` })) {
        if (this.#removed.has(key)) continue
        bytes += Buffer.byteLength(value) + 1
        isFull = found.length >= limits.items || (found.length > 0 && bytes > limits.bytes)
        if (isFull) break
        found.push([key, value])
      }
    }
    found.sort(([a], [b]) => (a.slice(1) < b.slice(1) ? -1 : 1))
    for (const [key] of found) this.#lent.add(key)
    return { keys: found.map(([key]) => key), items: found.map(([, value]) => value) }
  }

  /**
   * Removes items that the server has stored or will never accept. If the disk can't be written, they are not read again
   * in this run and go with the next removal.
   */
  async remove({ keys, items }: Batch): Promise<void> {
    keys.forEach((key, index) => this.#removed.set(key, sizeOf(key, items[index] ?? '')))
    const removed = [...this.#removed]
    await this.#commit(removed.map(([key]) => ({ type: 'del', key })))
    for (const [key, size] of removed) {
      if (!this.#removed.delete(key)) continue
      this.#lent.delete(key)
      this.#pending--
      this.#bytes -= size
    }
  }

  /** Returns items that could not be sent now to the queue. */
  giveBack({ keys }: Batch): void {
    for (const key of keys) this.#lent.delete(key)
  }

  /** Drops the oldest logs, then the oldest statuses, never an alarm. Items in flight are kept. */
  async #makeRoom(): Promise<void> {
    const target = this.#options.maxBytes * ROOM
    for (const lane of ['logs', 'statuses'] as const) {
      const changes: Change[] = []
      const gaps = new Map<string, LogGap>()
      let freed = 0
      for await (const [key, value] of this.#db.iterator({ gte: PREFIX[lane], lt: `${PREFIX[lane]}~` })) {
        if (this.#bytes - freed <= target) break
        if (this.#lent.has(key)) continue
        freed += sizeOf(key, value)
        changes.push({ type: 'del', key })
        if (lane === 'logs') widenGap(gaps, gapOf(value))
      }
      const dropped = changes.length
      for (const gap of this.#gaps.values()) if (gaps.has(nameOf(gap))) widenGap(gaps, gap)
      for (const [name, gap] of gaps) changes.push({ type: 'put', key: GAP + name, value: JSON.stringify(gap) })
      if (changes.length > 0) await this.#commit(changes)
      for (const [name, gap] of gaps) this.#gaps.set(name, gap)
      this.#bytes -= freed
      this.#pending -= dropped
      if (this.#bytes <= target) return
    }
  }

  /** Runs one piece of work at a time, so that items are not dropped while they are being read. */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#turn.then(work)
    this.#turn = result.catch(() => undefined)
    return result
  }

  /** Turns the recorded gaps into log lines, which are queued like any others. */
  async #reportGaps(): Promise<void> {
    if (this.#gaps.size === 0) return
    // In turn, because lines that are being dropped widen them.
    const gaps = await this.#inTurn(() => {
      const taken = [...this.#gaps]
      this.#gaps.clear()
      return Promise.resolve(taken)
    })
    await Promise.all(
      gaps.map(([name, gap]) =>
        this.#enqueue((sequence) => [this.#put('logs', sequence, gapReport(gap)), { type: 'del', key: GAP + name }], {
          lane: 'logs',
          isSynced: false,
        }).catch((error: unknown) => {
          widenGap(this.#gaps, gap)
          throw error
        }),
      ),
    )
  }

  /** Calls the listener when an item is added to a lane; returns the function that removes the listener. */
  onAppend(listener: (lane: Lane) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Returns the size of the queue: bytes of keys and values. */
  size(): number {
    return this.#bytes
  }

  /**
   * Writes everything that was accepted and closes the files. After a clean close, unused sequence numbers are free
   * again.
   */
  async close(): Promise<void> {
    await this.#flushing
    await this.#turn
    // No sequence may be taken from here on: this run must not use a number that it also frees.
    this.#isClosing = true
    await this.#flushing
    if (this.#reserved >= this.#next) {
      const last = String(this.#next - 1)
      await this.#db.batch(
        [RESERVED, LAST].map((key) => ({ type: 'put', key, value: last })),
        { sync: true },
      )
    }
    await this.#db.close()
  }
}

function noted({ name, value }: Note): Change {
  return value === null ? { type: 'del', key: NOTE + name } : { type: 'put', key: NOTE + name, value }
}

/** Returns the boot id, which Linux has. Elsewhere every start is treated as one after a power cut. */
function readMachineRun(): string | null {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim() || null
  } catch {
    return null
  }
}

function sizeOf(key: string, value: string): number {
  return key.length + Buffer.byteLength(value)
}

/** Returns the gap that a dropped log item (its stored JSON text) leaves. */
function gapOf(stored: string): LogGap {
  const { subject, data } = storedLog.parse(JSON.parse(stored))
  const times = data.lines.map(({ timestamp }) => timestamp).sort()
  const from = times[0] ?? ''
  const lines = data.lines.reduce((sum, line) => sum + linesOf(line), 0)
  return { subject, logType: data.logType as LogGap['logType'], lines, from, to: times.at(-1) ?? from }
}

/** Adds a gap to the one of the same log. */
function widenGap(gaps: Map<string, LogGap>, gap: LogGap): void {
  const { lines, from, to } = gaps.get(nameOf(gap)) ?? { ...gap, lines: 0 }
  gaps.set(nameOf(gap), {
    ...gap,
    lines: lines + gap.lines,
    from: from < gap.from ? from : gap.from,
    to: to > gap.to ? to : gap.to,
  })
}

function nameOf({ subject, logType }: LogGap): string {
  return `${subject}/${logType}`
}

function linesOf({ eventCode, message }: { eventCode?: string | null | undefined; message: string }): number {
  return eventCode === GAP_CODE ? Number.parseInt(message, 10) || 1 : 1
}

/** Returns a line that reports the gap in the log that misses the lines. */
function gapReport(gap: LogGap): LogReport {
  const message = `${gap.lines} log ${gap.lines === 1 ? 'line' : 'lines'} from ${gap.from} to ${gap.to} were dropped: the gateway's disk limit was reached before they were sent.`
  const line = { timestamp: gap.to, message, module: 'GATEWAY', level: 'WARNING', eventCode: GAP_CODE }
  return {
    type: 'benchwatch.log.appended',
    subject: gap.subject,
    time: new Date(gap.to),
    data: { logType: gap.logType, lines: [line] },
  }
}

/** Translates an error of LevelDB into a sentence for the operator. */
function openingFailure(directory: string, error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined
  if (cause instanceof Error && 'code' in cause && cause.code === 'LEVEL_LOCKED')
    return `Another gateway process uses the outbox ${directory}. Stop that process, or set another OUTBOX_DIR for this one.`
  const reason = cause instanceof Error ? cause.message : String(error)
  return `The outbox ${directory} can't be opened (${reason}). Check that the directory can be written and the disk is not full.`
}
