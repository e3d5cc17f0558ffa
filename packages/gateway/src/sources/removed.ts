import { linkNote } from '../links.ts'
import { startMapping } from '../mapping/mapping.ts'
import type { GatewaySource } from '../run-source.ts'
import type { SourceContext } from '../source.ts'

/** The notes of a source that something shown on the server depends on. */
const LASTING_NOTE = /^([^/]+)\/(?:alarm\/|storm\/|link$)/

/**
 * Returns what ends the alarms of sources that are no longer in the file, and no longer shows their instruments as
 * disconnected. A gateway without sources has no file, or lost it: its alarms stay open.
 */
export function removedSources(notes: Iterable<string>, running: readonly GatewaySource[]): GatewaySource[] {
  if (running.length === 0) return []
  const names = new Set([...notes].flatMap((note) => LASTING_NOTE.exec(note)?.[1] ?? []))
  return [...names]
    .filter((name) => !running.some((source) => source.name === name))
    .map((name) => ({
      name,
      kind: 'removed',
      async start(context) {
        const mapping = startMapping({ name, rules: [], tables: {}, lostAfter: 0, alarmsPerMinute: 1 }, context)
        // If this fails, the next start repeats it.
        await releaseInstruments(name, context).catch((error: unknown) =>
          context.log.error({ err: error }, 'A status could not be stored. Check the disk.'),
        )
        return mapping
      },
      lostAfterMs: 0,
      instruments: [],
      isSynced: true,
    }))
}

/** The status of instruments behind a link that was lost is unknown, until another source reports it. */
async function releaseInstruments(source: string, { notes, statusOf, report, keep }: SourceContext): Promise<void> {
  const note = `${source}/link`
  const { instruments, isLost } = linkNote.parse(JSON.parse(notes.get(note) ?? '{"instruments":[],"isLost":false}'))
  if (!isLost) return
  const data = { instrumentStatus: 'Unknown' } as const
  await Promise.all([
    ...instruments
      .filter((subject) => statusOf(subject) === 'disconnected')
      .map((subject) => report({ type: 'benchwatch.status.changed', subject, time: new Date(), data })),
    keep({ name: note, value: JSON.stringify({ instruments, isLost: false }) }),
  ])
}
