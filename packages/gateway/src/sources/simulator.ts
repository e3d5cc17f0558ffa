import type { Emission } from '@benchwatch/samples/simulator/emission'
import { livelyOutages, type Outage } from '@benchwatch/samples/simulator/outages'
import { livelyPace } from '@benchwatch/samples/simulator/pace'
import type { Posting } from '@benchwatch/samples/simulator/postings'
import { Reporter } from '@benchwatch/samples/simulator/reporter'
import { raiseOf } from '@benchwatch/samples/simulator/rig'
import { z } from 'zod'
import type { Line } from '../report.ts'
import type { Source, SourceContext } from '../source.ts'

/** setTimeout takes at most 31 bits of milliseconds. */
const LONGEST_TIMER_MS = 2_000_000_000

const simulatorNote = z.object({
  /** Time of writing, in milliseconds since 1970. */
  at: z.number(),
  /** Alarms that were reported to the server and are not cleared. */
  openAlerts: z.array(z.string()),
  /** Run time of the current day. */
  day: z.string(),
  workedMs: z.number(),
})

/** State that a simulated instrument needs after a restart. */
type SimulatorNote = z.output<typeof simulatorNote>

/**
 * A step that is later than this means that the machine was asleep (a closed laptop): coming changes are postponed,
 * not made up for.
 */
const SLEPT_MS = 300_000
const HOUR_MS = 3_600_000
/** Every gateway stays connected at first, so that a new demo starts without lost connections. */
const LINE_HOLDS_MS = 60_000

export interface SimulatorOptions {
  /** Instruments of all gateways. */
  postings: readonly Posting[]
  seed: string
  /** 1 suits a fleet of 400; 2 is twice as fast. */
  speed: number
}

/**
 * Simulates the instruments behind a gateway. Each one starts in the state in which the demo history, made from the
 * same seed, leaves it at this moment, reports its status and its computers, and continues at a livelier pace.
 *
 * A note in the outbox lists the alarms raised in earlier runs, so a restart clears those that are over and raises the
 * new ones.
 */
export function simulator({ postings, seed, speed }: SimulatorOptions): Source {
  const gateways = [...new Set(postings.map(({ gateway }) => gateway))].sort()
  return async (context) => {
    const { name, line, log } = context
    const start = Date.now()
    const reporters = postings
      .filter(({ gateway }) => gateway === name)
      .map((posting) => begin(posting, { context, seed, speed, start }))
    let timer: NodeJS.Timeout | undefined

    function tick(): void {
      const at = Date.now()
      for (const reporter of reporters) step(reporter, at)
      const due = reporters.reduce((first, { nextAt }) => Math.min(first, nextAt), Number.POSITIVE_INFINITY)
      timer = setTimeout(tick, Math.min(LONGEST_TIMER_MS, Math.max(0, due - Date.now())))
    }

    function step(reporter: Reporter, at: number): void {
      if (at - reporter.nextAt > SLEPT_MS) reportAll(context, reporter, { emissions: reporter.wake(at), at })
      while (reporter.nextAt <= at) {
        const due = reporter.nextAt
        reportAll(context, reporter, { emissions: reporter.advance(), at: due })
      }
    }

    log.debug({ instruments: reporters.length, speed }, 'Simulating instruments.')
    if (reporters.length === 0) return { stop: async () => undefined }
    tick()
    context.link('simulator', 'up')
    const outages = livelyOutages({ seed, gateway: name, gateways, speed }, start + LINE_HOLDS_MS)
    const stopLosing = loseLine(line, outages)
    return {
      async stop() {
        clearTimeout(timer)
        stopLosing()
      },
    }
  }
}

interface Beginning {
  context: SourceContext
  seed: string
  speed: number
  start: number
}

function begin(posting: Posting, { context, seed, speed, start }: Beginning): Reporter {
  const note = readNote(context.notes.get(posting.installedProductId))
  const reporter = new Reporter(posting, {
    seed,
    at: start,
    usageEvery: () => 4 * HOUR_MS,
    runTimeEvery: HOUR_MS,
    ...(note && { currentDay: note }),
  })
  const { machine } = reporter
  const emissions: Emission[] = []
  // Without a note this is the first run, and the demo history has reported every open alarm.
  if (note) {
    const reported = new Set(note.openAlerts)
    machine.forgetAlarms(({ alertId, generatedAt }) => !reported.has(alertId) && generatedAt <= note.at)
    const open = new Set(machine.openAlarms.map(({ alertId }) => alertId))
    for (const alertId of note.openAlerts)
      if (!open.has(alertId)) emissions.push({ type: 'benchwatch.alarm.cleared', data: { alertId } })
    for (const alarm of machine.openAlarms)
      if (!reported.has(alarm.alertId)) emissions.push(raiseOf(alarm, alarm.generatedAt))
  }
  reporter.changePace(livelyPace(speed), start)
  const status = { type: 'benchwatch.status.changed', data: machine.statusReport() } as const
  reportAll(context, reporter, { emissions: [status, ...emissions, reporter.clients()], at: start })
  return reporter
}

/**
 * Reports the changes of an instrument at one instant. The last item carries the note, so both are stored or neither.
 */
function reportAll(
  { report, log }: SourceContext,
  reporter: Reporter,
  { emissions, at }: { emissions: readonly Emission[]; at: number },
): void {
  const subject = reporter.posting.installedProductId
  emissions.forEach((emission, index) => {
    const isLast = index === emissions.length - 1
    const note = isLast ? { name: subject, value: noteOf(reporter, at) } : undefined
    report({ ...emission, subject, time: new Date(at) }, note).catch((error: unknown) => {
      log.error({ err: error, type: emission.type }, 'A report could not be written and is lost. Check the disk.')
    })
  })
}

function noteOf(reporter: Reporter, at: number): string {
  const note: SimulatorNote = {
    at,
    openAlerts: reporter.machine.openAlarms.map(({ alertId }) => alertId),
    ...reporter.currentDay(at),
  }
  return JSON.stringify(note)
}

function readNote(text: string | undefined): SimulatorNote | null {
  return text === undefined ? null : simulatorNote.parse(JSON.parse(text))
}

/**
 * Cuts the connection of a gateway for each of the outages, which must be in order of time; returns the function that
 * stops it.
 */
export function loseLine(line: Line, outages: Iterator<Outage, void>): () => void {
  let timer: NodeJS.Timeout | undefined

  function at(instant: number, act: () => void): void {
    const wait = instant - Date.now()
    timer =
      wait > LONGEST_TIMER_MS
        ? setTimeout(() => at(instant, act), LONGEST_TIMER_MS)
        : setTimeout(act, Math.max(0, wait))
  }

  function awaitNext(): void {
    const next = outages.next()
    if (next.done) return
    const outage = next.value
    // The machine slept through this outage.
    if (outage.to <= Date.now()) {
      awaitNext()
      return
    }
    at(outage.from, () => {
      line.cut()
      at(outage.to, () => {
        line.restore()
        awaitNext()
      })
    })
  }

  awaitNext()
  return () => {
    clearTimeout(timer)
    line.restore()
  }
}
