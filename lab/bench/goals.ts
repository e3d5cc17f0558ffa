import type { Goal } from '../measure/measure.ts'

/** The goals of the design; times are p95. */
export const goals = {
  list: { atMost: 50 },
  /** Stated for a million events. */
  keyword: { atMost: 100 },
  keywordTotals: { atMost: 1000 },
  instruments: { atMost: 50 },
  change: { atMost: 30 },
  ingestSingle: { atLeast: 1500 },
  ingestBatch: { atLeast: 5000 },
  /** Stated for five million lines. */
  logs: { atMost: 50 },
  /** One table of the dashboard over a year, and all times in one row; stated for a million events. */
  kpiTable: { atMost: 2000 },
  kpiSummary: { atMost: 1000 },
  listBesideKpi: { atMost: 250 },
  /** The time until the next frame, of a list of 100 events. */
  rows: { atMost: 100 },
  /** Stated for 100,000 positions. */
  mapMarks: { atMost: 1000 },
  mapTask: { atMost: 100 },
  live: { atMost: 250 },
  startWarm: { atMost: 3 },
  startCold: { atMost: 20 },
  memory: { atMost: 200 },
  /** Stated for a million events. */
  exportSeconds: { atMost: 20 },
  exportMemory: { atMost: 100 },
  loginScripts: { atMost: 200 },
  eventsScripts: { atMost: 240 },
  styles: { atMost: 30 },
} as const satisfies Record<string, Goal>
