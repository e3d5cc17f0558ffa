import { startMapping } from '../mapping/mapping.ts'
import type { GatewaySource } from '../run-source.ts'

/** The notes of a source that something shown on the server depends on. */
const LASTING_NOTE = /^([^/]+)\/(?:alarm|storm)\//

/**
 * Returns what ends the alarms of sources that are no longer in the file. A gateway without sources has no file, or
 * lost it: its alarms stay open.
 */
export function removedSources(notes: Iterable<string>, running: readonly GatewaySource[]): GatewaySource[] {
  if (running.length === 0) return []
  const names = new Set([...notes].flatMap((note) => LASTING_NOTE.exec(note)?.[1] ?? []))
  return [...names]
    .filter((name) => !running.some((source) => source.name === name))
    .map((name) => ({
      name,
      kind: 'removed',
      start: async (context) =>
        startMapping({ name, rules: [], tables: {}, lostAfter: 0, alarmsPerMinute: 1 }, context),
      lostAfterMs: 0,
      instruments: [],
      isSynced: true,
    }))
}
