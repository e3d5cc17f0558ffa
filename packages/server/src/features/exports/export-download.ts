import { setTimeout as pause } from 'node:timers/promises'
import type { FileStore, StoredFile } from '../../platform/files/file-store.ts'
import { problem } from '../../platform/http/problem.ts'
import type { FeatureContext } from '../context.ts'
import { fileOf } from './export-files.ts'
import { hashOfToken } from './export-link.ts'
import { noSuchExport } from './exports.service.ts'
import { findExportByToken } from './exports.store.ts'

/** How long a link waits for its file (wire 8); a browser's patience ends later. */
const WAIT_MS = 30_000
const LOOK_EVERY_MS = 250
const RETRY_SECONDS = 5

interface Wanted {
  token: string
  /** Aborted when nobody waits any more. */
  gone: AbortSignal
  waitMs?: number
}

/**
 * The file behind a link, with the name that it is saved under. Waits for one that is being written. Throws not-found for a
 * link that is unknown, expired or of a failed export, and unavailable for a file that isn't there in time.
 */
export async function openExportFile(
  { db, clock, files }: Pick<FeatureContext, 'db' | 'clock'> & { files: FileStore },
  { token, gone, waitMs = WAIT_MS }: Wanted,
): Promise<StoredFile & { name: string }> {
  const until = performance.now() + waitMs
  for (;;) {
    const found = await findExportByToken(db, { tokenHash: hashOfToken(token), at: clock.now() })
    if (!found) throw noSuchExport()
    if (found.state === 'failed') throw problem('not-found', 'This file could not be written. Export again.')
    if (found.state === 'ready') {
      const file = await files.read(fileOf(found.id))
      if (!file) throw problem('not-found', 'This file is not here any more. Export again.')
      return { ...file, name: `benchwatch-${found.type}s-${found.created_at.toISOString().slice(0, 10)}.csv` }
    }
    if (performance.now() >= until || gone.aborted) {
      throw problem('unavailable', 'This file is still being written. Try again shortly.', {
        retryAfter: RETRY_SECONDS,
      })
    }
    await pause(LOOK_EVERY_MS, undefined, { signal: gone }).catch(() => undefined)
  }
}
