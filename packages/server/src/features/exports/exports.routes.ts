import { setTimeout as pause } from 'node:timers/promises'
import * as contract from '@benchwatch/contract/events/exports'
import type { RouteTypes } from '@benchwatch/contract/route'
import { eventOrderBy, instrumentOrderBy } from '@benchwatch/contract/vocabulary'
import type { FastifyInstance } from 'fastify'
import type { DatabaseHandle } from '../../db/connect.ts'
import { type FileStore, FilesUnavailable, type StoredFile } from '../../platform/files/file-store.ts'
import { problem } from '../../platform/http/problem.ts'
import { tokenHash } from '../../platform/secret-token.ts'
import type { FeatureContext } from '../context.ts'
import type { EventSearch } from '../events/search/event-search.ts'
import { checkInstrumentFilter } from '../instruments/instruments.lookup.ts'
import { fileOf } from './export-link.ts'
import { createExport, getExport, noSuchExport, type RequestedExport } from './exports.service.ts'
import { findExportByToken } from './exports.store.ts'

/** How long a link waits for its file (wire 8); browsers wait longer. */
const WAIT_MS = 30_000

const LOOK_EVERY_MS = 250

const RETRY_SECONDS = 5

interface FileRequest {
  token: string
  /** Aborted when the client has disconnected. */
  gone: AbortSignal
  waitMs?: number
}

export function registerExportRoutes(
  app: FastifyInstance,
  context: FeatureContext & { database: DatabaseHandle; eventSearch: EventSearch; files: FileStore },
): void {
  const { bind } = context

  bind(app, contract.createExport, async ({ caller, query, body }) => {
    const request = requestedExport(query, body)
    if (request.type === 'instrument') {
      await checkInstrumentFilter(context.db, { userId: caller.id, filter: request.search.filter })
    }
    return createExport(context, { caller, request })
  })

  bind(app, contract.getExport, ({ caller, params }) => getExport(context, { exportId: params.exportId, caller }))

  bind(app, contract.downloadExport, async ({ params, reply }) => {
    const gone = new AbortController()
    reply.raw.once('close', () => gone.abort())
    const { name, bytes, content } = await openExportFile(context, { token: params.token, gone: gone.signal })
    reply.header('content-disposition', `attachment; filename="${name}"`).header('content-length', bytes)
    return content
  })
}

type Types = RouteTypes<typeof contract.createExport>

/** Refuses columns and flags of the other list: a file that silently ignored them would not match the request. */
function requestedExport(query: Types['query'], body: Types['body']): RequestedExport {
  const { keyword, start, stop, orderBy, order, instrumentFamily: family } = query
  const chosen = { ids: body.ids, mode: body.mode, details: body.details }
  const { noOwnerEvents, noActionEvents, fullSupportEvents } = query
  if (body.type === 'instrument') {
    const column = instrumentOrderBy.find((one) => one === (orderBy ?? instrumentOrderBy[0]))
    if (!column || noOwnerEvents || noActionEvents || fullSupportEvents) throw wrongList('instruments')
    return {
      type: 'instrument',
      ...chosen,
      search: { filter: body.filter, keyword, family, start, stop },
      page: { orderBy: column, order: order ?? 'ASC' },
    }
  }
  const column = eventOrderBy.find((one) => one === (orderBy ?? 'createdAt'))
  if (!column || family !== undefined) throw wrongList('events')
  return {
    type: 'event',
    ...chosen,
    search: {
      filter: body.filter,
      keyword,
      start,
      stop,
      flags: { noOwner: noOwnerEvents, noAction: noActionEvents, fullSupport: fullSupportEvents },
    },
    page: { orderBy: column, order: order ?? (column === 'createdAt' ? 'DESC' : 'ASC') },
  }
}

function wrongList(list: string) {
  return problem(
    'validation-failed',
    `The order or a filter is not available for ${list}. Use those of the ${list} list.`,
  )
}

/**
 * Returns the file behind a link, with the name to save it under. Waits for a file that is still being written. Throws
 * not-found for a link that is unknown, expired or of a failed export, and unavailable for a file that isn't there in
 * time or can't be read from its store.
 */
export async function openExportFile(
  { db, clock, log, files }: Pick<FeatureContext, 'db' | 'clock' | 'log'> & { files: FileStore },
  { token, gone, waitMs = WAIT_MS }: FileRequest,
): Promise<StoredFile & { name: string }> {
  const until = performance.now() + waitMs
  for (;;) {
    const found = await findExportByToken(db, { tokenHash: tokenHash(token), at: clock.now() })
    if (!found) throw noSuchExport()
    if (found.state === 'failed') throw problem('not-found', 'This file could not be written. Export again.')
    if (found.state === 'ready') {
      const file = await files.read(fileOf(found.id)).catch((error: unknown) => {
        if (!(error instanceof FilesUnavailable)) throw error
        log.error({ err: error, export: found.id }, 'an export file could not be read')
        throw problem('unavailable', 'The store of export files is not responding. Try again in a moment.', {
          retryAfter: RETRY_SECONDS,
        })
      })
      if (!file) throw problem('not-found', 'This file no longer exists. Export again.')
      return { ...file, name: `benchwatch-${found.type}s-${found.created_at.toISOString().slice(0, 10)}.csv` }
    }
    if (performance.now() >= until || gone.aborted) {
      throw problem('unavailable', 'This file is still being written. Try again in a moment.', {
        retryAfter: RETRY_SECONDS,
      })
    }
    await pause(LOOK_EVERY_MS, undefined, { signal: gone }).catch(() => undefined)
  }
}
