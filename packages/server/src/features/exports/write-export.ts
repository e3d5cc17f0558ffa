import type { ServiceEvent } from '@benchwatch/contract/service-events'
import type { Db } from '../../db/connect.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { Clock } from '../../platform/clock.ts'
import type { FileStore } from '../../platform/files/file-store.ts'
import { readServiceEvents, readWholeServiceEvents } from '../service-events/service-events.queries.ts'
import { findPerson } from '../users/users.lookup.ts'
import { BYTE_ORDER_MARK, csvRow } from './csv.ts'
import { csvColumns } from './event-columns.ts'
import { fileOf } from './export-files.ts'
import { type ExportToWrite, markReady, noteProgress, readChunk } from './exports.store.ts'

interface Writing {
  db: Db
  clock: Clock
  files: FileStore
}

/** Progress is told at most so often. */
const PROGRESS_MS = 1000

/**
 * Writes the file of an export and then calls it ready. It begins anew whatever another process had of it: that takes some
 * seconds, and a file in two parts could not be trusted. Throws MissingEvents, and Stopped when the process ends.
 */
export async function writeExport(
  writing: Writing,
  { wanted, stop }: { wanted: ExportToWrite; stop: AbortSignal },
): Promise<void> {
  await writing.files.write(fileOf(wanted.id), rowsOf(writing, { wanted, stop }))
  await markReady(writing.db, { id: wanted.id, written: wanted.rows, at: writing.clock.now() })
}

/**
 * What a person may not see any more, or what was deleted, by the time it is read: the file would have fewer rows than were
 * announced, and a part that looks like the whole is worse than none.
 */
export class MissingEvents extends Error {}

/** The process ends; another one goes on. */
export class Stopped extends Error {}

/** The file chunk by chunk. While one is formatted and written, the next one is read. */
async function* rowsOf(
  { db, clock }: Writing,
  { wanted, stop }: { wanted: ExportToWrite; stop: AbortSignal },
): AsyncGenerator<string> {
  const columns = csvColumns[wanted.details]
  const read = (chunk: number) => readEvents(db, { wanted, chunk })
  yield BYTE_ORDER_MARK + csvRow(columns.map(({ head }) => head))
  let written = 0
  let told = clock.now().getTime()
  let next = read(0)
  for (let chunk = 1; ; chunk += 1) {
    const events = await next
    if (!events) break
    if (stop.aborted) throw new Stopped('The server stops.')
    next = read(chunk)
    // Should the file fail meanwhile, nobody awaits it.
    next.catch(() => undefined)
    let rows = ''
    for (const event of events) rows += csvRow(columns.map(({ value }) => value(event)))
    yield rows
    written += events.length
    const at = clock.now()
    if (at.getTime() - told < PROGRESS_MS) continue
    told = at.getTime()
    await noteProgress(db, { id: wanted.id, written, at })
  }
  if (written !== wanted.rows) throw new MissingEvents(`${wanted.rows - written} rows are missing.`)
}

/** One chunk as its owner may see it now; undefined after the last one. */
async function readEvents(
  db: Db,
  { wanted, chunk }: { wanted: ExportToWrite; chunk: number },
): Promise<ServiceEvent[] | undefined> {
  return inTransaction(
    db,
    async (trx) => {
      const ids = await readChunk(trx, { id: wanted.id, chunk })
      if (!ids) return undefined
      const person = await findPerson(trx, wanted.user_id)
      const readThem = wanted.details === 'FULL' ? readWholeServiceEvents : readServiceEvents
      const events = await readThem(trx, { ids, scope: person?.scope ?? [] })
      if (events.length !== ids.length) throw new MissingEvents(`${ids.length - events.length} events are missing.`)
      return events
    },
    { isSnapshot: true },
  )
}
