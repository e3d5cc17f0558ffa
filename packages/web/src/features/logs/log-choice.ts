import { type LogChoice, pairProblem, writeLog } from './compare-address.ts'

/** The rules of 'View Logs': document 1 section 5 ("Log type selection"). Boxes are told by the name of their log, `writeLog`. */

/** Two logs stand side by side. */
const MOST_CHOSEN = 2

/** What the boxes lead to. */
export type LogsChosen =
  | { kind: 'none' }
  | { kind: 'one'; log: LogChoice }
  | { kind: 'two'; first: LogChoice; second: LogChoice }
  | { kind: 'refused'; reason: string }

export function logsChosen(logs: readonly LogChoice[], chosen: readonly string[]): LogsChosen {
  // In the order in which they were ticked: the first stands on the left.
  const [first, second] = chosen.flatMap((name) => logs.find((log) => writeLog(log) === name) ?? [])
  if (first === undefined) return { kind: 'none' }
  if (second === undefined) return { kind: 'one', log: first }
  const reason = pairProblem(first, second)
  return reason === null ? { kind: 'two', first, second } : { kind: 'refused', reason }
}

/** Whether a box can be ticked or emptied: further boxes are disabled once two are ticked. */
export function canTick(log: LogChoice, chosen: readonly string[]): boolean {
  return chosen.length < MOST_CHOSEN || chosen.includes(writeLog(log))
}
