import type { AvailableLog } from '@benchwatch/contract/logs'
import { logTypes } from '@benchwatch/contract/vocabulary'
import type { ToldLog } from './log-store.ts'

/**
 * What can be opened of an instrument (3-decisions 4): one box a log type in which it has lines, in the order of the
 * vocabulary. Of clients one a computer, by name: those that are linked now, because somebody who looks for the log of
 * a PC must see that it has told nothing, and those that were replaced and whose lines are still there.
 */
export function availableLogs(told: readonly ToldLog[], linkedClients: readonly string[]): AvailableLog[] {
  const named = new Set(told.flatMap(({ computerName }) => computerName ?? []))
  const silent = linkedClients.filter((name) => !named.has(name))
  const all = [
    ...told.map(({ newest, ...log }) => ({ ...log, newest: newest.toISOString() })),
    ...silent.map((computerName) => ({ logType: 'UNICORNCLIENT' as const, computerName, newest: null })),
  ]
  return all.toSorted(
    (one, other) =>
      logTypes.indexOf(one.logType) - logTypes.indexOf(other.logType) ||
      // Lines without a name stand behind those with one.
      Number(one.computerName === null) - Number(other.computerName === null) ||
      (one.computerName ?? '').localeCompare(other.computerName ?? ''),
  )
}
