import type { Reporter } from '@benchwatch/samples/simulator/reporter'
import { z } from 'zod'

const simulatorNote = z.object({
  /** When it was written, in milliseconds since 1970. */
  at: z.number(),
  /** Alarms that the server has been told of and that are not cleared. */
  openAlerts: z.array(z.string()),
  /** Run time of the day that was under way. */
  day: z.string(),
  workedMs: z.number(),
})

/** What a pretend instrument knows again after a restart. */
export type SimulatorNote = z.output<typeof simulatorNote>

export function noteOf(reporter: Reporter, at: number): string {
  const note: SimulatorNote = {
    at,
    openAlerts: reporter.machine.openAlarms.map(({ alertId }) => alertId),
    ...reporter.dayUnderWay(at),
  }
  return JSON.stringify(note)
}

/** Null where there is none. */
export function readNote(text: string | undefined): SimulatorNote | null {
  return text === undefined ? null : simulatorNote.parse(JSON.parse(text))
}
