import { createHash } from 'node:crypto'
import { ingestLimits } from '@benchwatch/contract/ingest'
import { alertTypes, type InstrumentStatus, severities } from '@benchwatch/contract/vocabulary'
import { z } from 'zod'
import type { LogReport, Report } from '../report.ts'
import type { SourceContext } from '../source.ts'
import {
  type LogOutcome,
  mapFacts,
  messageName,
  type Outcome,
  type RaiseOutcome,
  type StatusOutcome,
} from './map-facts.ts'
import type { Mapping } from './rules.ts'
import type { Facts } from './templates.ts'

/**
 * Turns the messages of a source into reports. An alarm is reported when it begins and when it ends, however often its
 * source repeats it; which alarms are open survives a restart, as notes in the outbox.
 *
 * Above `alarmsPerMinute`, alarms are merged into one per instrument and template, reported once a minute with their
 * number. It is open as long as one of its members is.
 */

const MINUTE_MS = 60_000
/** Momentary alarms that are recognised when their message is delivered again. */
const MOST_RECENT = 100
/** Messages that are recognised when they are delivered again later than what followed them. */
const MOST_TAKEN = 1_000
/** Beyond this number of open alarms, further ones of a storm are only counted: a message without an end, or a bad key. */
const MOST_OPEN = 10_000
/** Characters of a message that an open alarm keeps. */
const MOST_FACTS = 2_000
/** Messages of one log item, so that a request can carry it even if each character takes 4 bytes. */
const LOG_CHARACTERS = 400_000
/** A component of its own, so that the server counts a storm on its own event and not on that of one alarm. */
const STORM_COMPONENT = 'Several components'

const openAlarm = z.object({
  instrument: z.string(),
  key: z.string(),
  alertId: z.string(),
  /** Time at which the alarm returns to normal on its own, in milliseconds since 1970. Only a restart counts by it. */
  until: z.number().optional(),
  /** The milliseconds from its last message until then. */
  lasts: z.number().optional(),
  /** The storm that it is a member of. It has no alarm of its own then. */
  storm: z.string().optional(),
  /** The message that raised it, if it is short. */
  facts: z.record(z.string(), z.unknown()).optional(),
})
type OpenAlarm = z.output<typeof openAlarm>

const stormNote = z.object({
  instrument: z.string(),
  alertId: z.string(),
  templateId: z.string(),
  alertType: z.literal(alertTypes),
  severity: z.enum(severities).optional(),
  description: z.string().optional(),
  /** Alarms that were not reported yet. */
  count: z.number(),
  /** Milliseconds since 1970. */
  from: z.number(),
  to: z.number(),
})
type Storm = z.output<typeof stormNote>

/** True while the gateway does not know the status of an instrument, because it can't reach it. */
function isAway(status: InstrumentStatus | undefined): boolean {
  return status === 'Unknown' || status === 'disconnected'
}

const recentIds = z.array(z.string())

export interface RunningMapping {
  /** Maps messages and stores their reports. Resolves when all are on disk. Never rejects for a bad message. */
  take(messages: readonly Facts[]): Promise<void>
  /** Clears the open alarms whose key the source no longer knows: after a refresh. */
  clearWhere(isOver: (key: string) => boolean): Promise<void>
  /** Waits for what is being written. */
  stop(): Promise<void>
}

interface MappingOptions {
  /** False for a message that the source can't get any more, because its file has changed. */
  isRead?: (facts: Facts) => boolean
}

export function startMapping(
  config: Mapping,
  context: SourceContext,
  { isRead = () => true }: MappingOptions = {},
): RunningMapping {
  const { report, keep, log } = context
  const prefix = { alarm: `${config.name}/alarm/`, storm: `${config.name}/storm/`, run: `${config.name}/run/` }
  /** The run of each instrument; empty for none. */
  const runs = new Map<string, string>()
  const open = new Map<string, OpenAlarm>()
  const storms = new Map<string, Storm>()
  for (const [name, value] of context.notes) {
    if (name.startsWith(prefix.alarm)) open.set(name.slice(prefix.alarm.length), openAlarm.parse(JSON.parse(value)))
    if (name.startsWith(prefix.run)) runs.set(name.slice(prefix.run.length), value)
    if (name.startsWith(prefix.storm)) storms.set(name.slice(prefix.storm.length), stormNote.parse(JSON.parse(value)))
  }
  /** The open alarms on disk. */
  const stored = new Map(open)
  /** When alarms return to normal on their own, by a clock that nobody sets: a gateway may start in 1970. */
  const ends = new WeakMap<OpenAlarm, number>()
  for (const alarm of open.values())
    if (alarm.until !== undefined)
      ends.set(alarm, performance.now() + Math.min(alarm.until - Date.now(), alarm.lasts ?? Infinity))
  // A momentary alarm is over when its message arrives again, so that only its id identifies the repeat.
  const recentName = `${config.name}/recent`
  let recent = recentIds.parse(JSON.parse(context.notes.get(recentName) ?? '[]'))
  let minute = { from: Date.now(), alarms: 0 }
  /** Digests of the ids of the last messages that are on disk. A late repeat of an old one says nothing about now. */
  const taken = new Set<string>()
  /** Messages by alarm that could not be stored and will be sent again, perhaps later than what follows them. */
  const refused = new Map<string, { message: string; isEnd: boolean; isOver: boolean }>()
  const pending = new Set<Promise<void>>()
  /** Alarms that are being written: a repeat is acknowledged no earlier than they are. */
  const writing = new Map<string, Promise<void>>()

  /** A failed write in the background shows in the log; the note is still there, so the next start repeats it. */
  const inBackground = (writing: Promise<unknown>): void => {
    const settled = writing.then(
      () => undefined,
      (error: unknown) => log.error({ err: error }, 'An alarm could not be written to the outbox. Check the disk.'),
    )
    pending.add(settled)
    void settled.then(() => pending.delete(settled))
  }

  /** Ends the alarms that the rules no longer make of the messages that raised them: nothing else would. */
  async function endUnwatched(): Promise<void> {
    const gone = [...open].filter(([, alarm]) => !isWatched(alarm))
    const lines = gone.map(([, alarm]) => unwatchedLine(alarm))
    for (const { instrument, line } of lines) log.warn({ instrument }, line.message)
    await Promise.all([...gone.map(([id]) => clear(id)), ...logReports(lines).map((item) => report(item))])
  }

  function isWatched({ instrument, key, facts }: OpenAlarm): boolean {
    if (!facts) return config.rules.length > 0
    const { outcomes, faults } = mapFacts(config, facts, new Date())
    const isSame = (one: Outcome) =>
      (one.kind === 'raise' || one.kind === 'clear') && one.key === key && one.instrument === instrument
    return isRead(facts) && (faults.length > 0 || outcomes.some(isSame))
  }

  async function take(messages: readonly Facts[]): Promise<void> {
    const received = new Date()
    const writes: Promise<void>[] = []
    const lines: LogOutcome[] = []
    const ids = messages.flatMap(({ id }) => (typeof id === 'string' ? digest(id) : []))
    for (const facts of messages) {
      if (facts['repeated'] === true && taken.has(digest(String(facts['id'])))) continue
      const mapped = mapFacts(config, facts, received)
      context.onMapped?.(facts, mapped)
      if (mapped.rule === null) context.unmatched(messageName(facts))
      for (const sentence of mapped.faults) context.fault(sentence)
      for (const outcome of mapped.outcomes) {
        if (outcome.kind === 'log') lines.push(outcome)
        // A message that somebody may have recorded neither ends an alarm nor says how an instrument is.
        else if (facts['isDoubtful'] === true && outcome.kind !== 'raise') continue
        else writes.push(apply(outcome, facts))
      }
    }
    for (const item of logReports(lines)) writes.push(report(item))
    // A first delivery that fails may have the id of an older message.
    for (const id of ids) taken.delete(id)
    await Promise.all(writes)
    for (const id of ids) taken.add(id)
    for (const id of taken) if (taken.size > MOST_TAKEN) taken.delete(id)
  }

  function apply(outcome: Exclude<Outcome, LogOutcome>, facts: Facts): Promise<void> {
    const common = { subject: outcome.instrument, time: new Date() }
    switch (outcome.kind) {
      case 'raise':
        return inOrder(outcome, facts, () => raise(outcome, facts))
      case 'clear':
        return inOrder(outcome, facts, () => clear(idOf(outcome)))
      case 'status':
        return tell(outcome)
      case 'usage':
        return report({ type: 'benchwatch.usage.sampled', ...common, data: { components: [outcome.component] } })
    }
  }

  /**
   * Writes the beginning or the end of an alarm. A refused message that is sent again after others says nothing any more;
   * only an alarm that began and ended meanwhile is reported with its end.
   */
  async function inOrder(
    outcome: Extract<Outcome, { kind: 'raise' | 'clear' }>,
    { id: messageId, repeated }: Facts,
    write: () => Promise<void>,
  ): Promise<void> {
    const id = idOf(outcome)
    const isEnd = outcome.kind === 'clear'
    const message = repeated === true ? digest(String(messageId)) : null
    const before = refused.get(id)
    try {
      await write()
      if (!before) return
      if (before.message === message && before.isOver) await clear(id)
    } catch (error) {
      if (message !== null && message !== before?.message) refused.set(id, { message, isEnd, isOver: false })
      for (const oldest of refused.keys()) if (refused.size > MOST_TAKEN) refused.delete(oldest)
      throw error
    }
    if (before.message !== message && isEnd && !before.isEnd) before.isOver = true
    else {
      if (before.message !== message) taken.add(before.message)
      refused.delete(id)
    }
  }

  /**
   * Status and run may come in messages of their own: each is reported with the last known other one. The end of a run
   * is told by an empty text, since a status without a run does not end it while the status is unknown. Statuses are
   * placed by the clock that dates the alarms, but not before an outage that the gateway has reported by its own.
   */
  async function tell({
    instrument,
    time: told,
    run,
    status = context.statusOf(instrument),
  }: StatusOutcome): Promise<void> {
    const before = runs.get(instrument) ?? ''
    const after = run ?? before
    const note = { name: prefix.run + instrument, value: after || null }
    runs.set(instrument, after)
    const time = new Date()
    const wasAway = isAway(context.statusOf(instrument))
    const isPlaced = (!isAway(status) || after !== before) && !(wasAway && told < time)
    const data = status && {
      instrumentStatus: status,
      ...(isPlaced && told.getTime() !== time.getTime() && { at: told.toISOString() }),
      ...((after || before) && { run: after }),
    }
    const writes = [
      ...(data ? [report({ type: 'benchwatch.status.changed', subject: instrument, time, data })] : []),
      ...(after === before ? [] : [keep(note)]),
    ]
    await Promise.all(writes).catch((error: unknown) => {
      runs.set(instrument, before)
      throw error
    })
  }

  // Reports and notes of one message are written in one tick: the outbox stores all of them or none. A failed write is undone in
  // memory, so that the repeated message is not taken for a known alarm.

  /** Opens an alarm, or ends it (null), once that is written. Messages may change an alarm twice before a write fails. */
  async function change(id: string, alarm: OpenAlarm | null, written: Promise<unknown>): Promise<void> {
    const before = open.get(id)
    if (alarm) open.set(id, alarm)
    else open.delete(id)
    try {
      await written
    } catch (error) {
      const last = stored.get(id)
      if (last) open.set(id, last)
      else open.delete(id)
      throw error
    }
    if (alarm) stored.set(id, alarm)
    else if (stored.get(id) === before) stored.delete(id)
  }

  async function raise(outcome: RaiseOutcome, facts: Facts): Promise<void> {
    const id = idOf(outcome)
    const { instrument, key, autoClear } = outcome
    const known = open.get(id)
    if (known) {
      await writing.get(id)
      // A repeat postpones the end of an alarm that ends on its own.
      if (autoClear !== undefined) await keep(noteOf(id, endAfter(known, autoClear)))
      return
    }
    const alertId = alertIdOf(outcome, facts, config.name)
    if (autoClear === 0 && facts['repeated'] !== false && recent.includes(alertId)) return
    startMinute()
    if (minute.alarms >= config.alarmsPerMinute || open.size >= MOST_OPEN) {
      await joinStorm(outcome, id, facts)
      return
    }
    minute.alarms++
    const alarm = endAfter({ instrument, key, alertId, ...kept(facts) }, autoClear)
    const item = raised(outcome, alertId)
    if (autoClear === 0) {
      const before = recent
      if (typeof facts['id'] === 'string') recent = [...recent, alertId].slice(-MOST_RECENT)
      const note = { name: recentName, value: JSON.stringify(recent) }
      await Promise.all([report(item, recent === before ? undefined : note), report(cleared(alarm))]).catch(
        (error: unknown) => {
          recent = recent.filter((one) => one !== alertId)
          throw error
        },
      )
      return
    }
    const written = change(id, alarm, report(item, noteOf(id, alarm)))
    writing.set(id, written)
    await written.finally(() => writing.delete(id))
  }

  /** Sets when an alarm returns to normal on its own, if it does. */
  function endAfter(alarm: OpenAlarm, autoClear: number | undefined): OpenAlarm {
    if (autoClear === undefined) return alarm
    ends.set(alarm, performance.now() + autoClear)
    return Object.assign(alarm, { until: Date.now() + autoClear, lasts: autoClear })
  }

  async function joinStorm(outcome: RaiseOutcome, id: string, facts: Facts): Promise<void> {
    const { instrument, key, templateId, alertType, severity, description, autoClear } = outcome
    const name = stormName(outcome)
    const storm = storms.get(name) ?? {
      instrument,
      alertId: digest(`${config.name} storm ${name} ${Date.now()}`),
      templateId,
      alertType,
      ...(severity && { severity }),
      ...(description && { description }),
      count: 0,
      from: Date.now(),
      to: Date.now(),
    }
    storms.set(name, storm)
    if (storm.count === 0) storm.from = Date.now()
    storm.count++
    storm.to = Date.now()
    const isMember = autoClear !== 0 && open.size < MOST_OPEN
    const { alertId } = storm
    const alarm = endAfter({ instrument, key, alertId, storm: name, ...kept(facts) }, autoClear)
    const counted = keep(stormNoteOf(name, storm))
    const joined = isMember ? change(id, alarm, keep(noteOf(id, alarm))) : null
    await Promise.all([counted, joined]).catch((error: unknown) => {
      storm.count--
      throw error
    })
  }

  /** Storms of very many templates are merged further, so that their number stays bounded. */
  function stormName({ instrument, templateId }: RaiseOutcome): string {
    const name = `${instrument} ${templateId}`
    return storms.has(name) || storms.size < config.alarmsPerMinute ? name : `${instrument} *`
  }

  async function clear(id: string): Promise<void> {
    const alarm = open.get(id)
    if (!alarm) return
    const forgotten = { name: prefix.alarm + id, value: null }
    await change(id, null, alarm.storm === undefined ? report(cleared(alarm), forgotten) : keep(forgotten))
  }

  /** Begins the next minute if it is time, and reports the storms of the last one. */
  function startMinute(): void {
    const passed = Date.now() - minute.from
    // A clock that is set back must not stretch the minute.
    if (passed >= 0 && passed < MINUTE_MS) return
    minute = { from: Date.now(), alarms: 0 }
    inBackground(reportStorms())
  }

  /** Reports each storm with what came in the last minute. It ends after a minute without alarms and members. */
  async function reportStorms(): Promise<void> {
    const lasting = new Set([...open.values()].map(({ storm }) => storm))
    const writes = [...storms].map(async ([name, storm]) => {
      if (storm.count > 0) {
        const item = stormReport(storm, context.knowsCounts())
        log.warn(
          { instrument: storm.instrument, alarms: storm.count },
          'Alarms came too fast and were merged into one.',
        )
        const { count } = storm
        storm.count = 0
        await report(item, stormNoteOf(name, storm)).catch((error: unknown) => {
          storm.count += count
          throw error
        })
      } else if (!lasting.has(name)) {
        storms.delete(name)
        await report(cleared(storm), { name: prefix.storm + name, value: null }).catch((error: unknown) => {
          storms.set(name, storm)
          throw error
        })
      }
    })
    await Promise.all(writes)
  }

  function tick(): void {
    for (const [id, alarm] of open) if ((ends.get(alarm) ?? Infinity) <= performance.now()) inBackground(clear(id))
    startMinute()
  }

  async function clearWhere(isOver: (key: string) => boolean): Promise<void> {
    const gone = [...open].filter(([, { key }]) => isOver(key))
    await Promise.all(gone.map(([id]) => clear(id)))
  }

  const noteOf = (id: string, alarm: OpenAlarm) => ({ name: prefix.alarm + id, value: noteText(alarm) })
  const stormNoteOf = (name: string, storm: Storm) => ({ name: prefix.storm + name, value: JSON.stringify(storm) })

  // The file may have changed while they were on. A new rule for the same fault raises an alarm of its own.
  inBackground(endUnwatched())
  const timer = setInterval(tick, 1000)
  return {
    take,
    clearWhere,
    async stop() {
      clearInterval(timer)
      await Promise.all(pending)
    },
  }
}

function idOf({ instrument, key }: Pick<OpenAlarm, 'instrument' | 'key'>): string {
  return `${instrument} ${key}`
}

/** Returns the same id for the same message: one that is delivered again after a crash raises nothing new. */
function alertIdOf({ instrument, key, time }: RaiseOutcome, facts: Facts, source: string): string {
  const identity = typeof facts['id'] === 'string' ? facts['id'] : time.toISOString()
  return digest([source, instrument, key, identity].join('\n'))
}

/** Returns the message for the note of its alarm; nothing if it is too long. */
function kept(facts: Facts): Pick<OpenAlarm, 'facts'> {
  return noteText(facts).length > MOST_FACTS ? {} : { facts }
}

function noteText(value: object): string {
  return JSON.stringify(value, (_, inner: unknown) => (typeof inner === 'bigint' ? String(inner) : inner))
}

function unwatchedLine({ instrument, key, facts = {} }: OpenAlarm): LogOutcome {
  // A key that came with the message may be a number that nobody knows.
  const name = facts['key'] === undefined ? key : (messageName(facts)?.name ?? key)
  const message = `The gateway returned the alarm ${name} to normal, because its file of sources no longer describes it. Whether its cause is over is not known.`
  const line = { timestamp: new Date().toISOString(), message, module: 'GATEWAY', level: 'WARNING' }
  return { kind: 'log', instrument, logType: 'CONNECTIVITY', line }
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32)
}

function raised(outcome: RaiseOutcome, alertId: string): Report {
  const { templateId, alertType, componentName, severity, description, userMessage } = outcome
  return {
    type: 'benchwatch.alarm.raised',
    subject: outcome.instrument,
    time: new Date(),
    data: {
      alertId,
      templateId,
      alertType,
      componentName,
      logGeneratedAt: outcome.time.toISOString(),
      ...(severity && { severity }),
      ...(description && { description }),
      ...(userMessage && { userMessage }),
    },
  }
}

function cleared({ instrument, alertId }: Pick<OpenAlarm, 'instrument' | 'alertId'>): Report {
  return { type: 'benchwatch.alarm.cleared', subject: instrument, time: new Date(), data: { alertId } }
}

function stormReport(storm: Storm, withCount: boolean): Report {
  const { instrument, alertId, templateId, alertType, severity, count } = storm
  const [from, to] = [new Date(storm.from).toISOString(), new Date(storm.to).toISOString()]
  const merged = `${count} ${count === 1 ? 'alarm' : 'alarms'} from ${from} to ${to} were merged into this one, because they came too fast.`
  return {
    type: 'benchwatch.alarm.raised',
    subject: instrument,
    time: new Date(),
    data: {
      alertId,
      templateId,
      alertType,
      componentName: STORM_COMPONENT,
      logGeneratedAt: from,
      ...(severity && { severity }),
      description: storm.description ? `${merged} The first said: ${storm.description}`.slice(0, 10_000) : merged,
      ...(withCount && { count }),
    },
  }
}

/** Groups log lines by instrument and log into items that fit into a batch. */
function logReports(outcomes: readonly LogOutcome[]): Report[] {
  const time = new Date()
  const reports: LogReport[] = []
  const growing = new Map<string, { lines: LogOutcome['line'][]; characters: number }>()
  for (const { instrument, logType, line } of outcomes) {
    const name = `${instrument} ${logType}`
    let item = growing.get(name)
    if (!item || item.lines.length >= ingestLimits.logLines || item.characters + line.message.length > LOG_CHARACTERS) {
      item = { lines: [], characters: 0 }
      growing.set(name, item)
      reports.push({ type: 'benchwatch.log.appended', subject: instrument, time, data: { logType, lines: item.lines } })
    }
    item.lines.push(line)
    item.characters += line.message.length
  }
  return reports
}
