import type { importRegistry } from '@benchwatch/contract/registry'
import type { RouteTypes } from '@benchwatch/contract/route'
import type { Actor } from '../../db/actor.ts'
import type { Trx } from '../../db/connect.ts'
import { inTransaction } from '../../db/transaction.ts'
import { type ProblemError, problem } from '../../platform/http/problem.ts'
import type { FeatureContext } from '../context.ts'
import { readCsvLines } from './csv-lines.ts'
import { type ImportError, MOST_ERRORS, toldErrors } from './import-errors.ts'
import { type ImportFile, readImportFile } from './import-file.ts'
import { importKinds } from './import-kinds.ts'
import { readNdjsonLines } from './ndjson-lines.ts'
import { RefusedObjects } from './refusals.ts'
import { lockInstrumentsOf, lockRegistry, takeImportLock } from './registry-locks.store.ts'
import type { RegistryKind, Writing } from './registry-object.ts'

interface Import {
  kind: RegistryKind
  /** The file, without a byte order mark. */
  text: string
  isCsv: boolean
  /** Only tells what the import would do. */
  dryRun: boolean
  actor: Actor
}

type Outcome = RouteTypes<typeof importRegistry>['answer']

/** Objects of one statement: 20 ms of our own work, so that other requests are answered between two of them. */
const BATCH = 250

/**
 * Registers all objects of a file in one transaction, or none when anything is wrong with any. First everything is
 * checked and compared without a write; so a dry run answers what the import would, and rows of instruments, which
 * gateways wait for, are locked only while they are written. One import at a time: throws unavailable for a second.
 */
export async function importObjects(
  { db, clock }: Pick<FeatureContext, 'db' | 'clock'>,
  { kind, text, isCsv, dryRun, actor }: Import,
): Promise<Outcome> {
  const lines = isCsv ? readCsvLines(text, importKinds[kind]) : readNdjsonLines(text)
  const file = await readImportFile(lines, importKinds[kind])
  if (file.errors.length > MOST_ERRORS) return refused(file.errors)
  return inTransaction(db, async (trx) => {
    if (!(await takeImportLock(trx))) {
      throw problem('unavailable', 'Another file is being imported. Try again in a minute.', { retryAfter: 10 })
    }
    if (!dryRun) await lockRegistry(trx)
    const writing = { actor, at: clock.now() }
    const trial = await upsertAll(trx, { ...writing, isTrial: true }, { kind, file })
    const errors = [...file.errors, ...trial.errors]
    if (errors.length > 0) return refused(errors)
    if (!dryRun) {
      await lockInstrumentsOf(trx, { kind, keys: trial.changed })
      await upsertAll(trx, writing, { kind, file })
    }
    return { created: trial.created, updated: trial.changed.length, errors: [] }
  })
}

function refused(errors: readonly ImportError[]): Outcome {
  return { created: 0, updated: 0, errors: toldErrors(errors) }
}

interface Done {
  created: number
  /** Keys. */
  changed: string[]
  errors: ImportError[]
}

async function upsertAll(
  trx: Trx,
  writing: Writing,
  { kind, file }: { kind: RegistryKind; file: ImportFile },
): Promise<Done> {
  const done: Done = { created: 0, changed: [], errors: [] }
  for (let from = 0; from < file.objects.length && done.errors.length <= MOST_ERRORS; from += BATCH) {
    try {
      const upserted = await importKinds[kind].upsert(trx, writing, file.objects.slice(from, from + BATCH))
      done.created += upserted.created.size
      done.changed.push(...upserted.changed)
    } catch (error) {
      if (!(error instanceof RefusedObjects)) throw error
      for (const [key, why] of error.problems) done.errors.push(...asErrors(why, file.lines.get(key) ?? 0))
    }
  }
  return done
}

/** The places that a PUT would name in its body, named in the line. */
function asErrors({ message, extras }: ProblemError, line: number): ImportError[] {
  const places = extras.errors ?? [{ path: 'key', message }]
  return places.map((place) => ({ line, path: place.path.replace(/^body\./, ''), message: place.message }))
}
