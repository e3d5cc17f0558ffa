import * as contract from '@benchwatch/contract/exports'
import type { RouteTypes } from '@benchwatch/contract/route'
import { eventOrderBy, instrumentOrderBy } from '@benchwatch/contract/vocabulary'
import type { FastifyInstance } from 'fastify'
import type { DatabaseHandle } from '../../db/connect.ts'
import type { FileStore } from '../../platform/files/file-store.ts'
import { problem } from '../../platform/http/problem.ts'
import type { FeatureContext } from '../context.ts'
import { openExportFile } from './export-download.ts'
import { createExport, getExport, type RequestedExport } from './exports.service.ts'

export function registerExportRoutes(
  app: FastifyInstance,
  context: FeatureContext & { database: DatabaseHandle; files: FileStore },
): void {
  const { bind } = context

  bind(app, contract.createExport, ({ caller, query, body }) => {
    return createExport(context, { caller, wanted: requestedExport(query, body) })
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

/** Columns and flags of the other list are refused: a file that left them out unnoticed would not be what was asked for. */
function requestedExport(query: Types['query'], body: Types['body']): RequestedExport {
  const { keyword, start, stop, orderBy, order, instrumentFamily: family } = query
  const { ids, mode, details } = body
  const { noOwnerEvents, noActionEvents, fullSupportEvents } = query
  if (body.type === 'instrument') {
    const column = instrumentOrderBy.find((one) => one === (orderBy ?? instrumentOrderBy[0]))
    if (!column || noOwnerEvents || noActionEvents || fullSupportEvents) throw wrongList('instruments')
    return {
      type: 'instrument',
      ids,
      mode,
      details,
      search: { filter: body.filter, keyword, family, start, stop },
      page: { orderBy: column, order: order ?? 'ASC' },
    }
  }
  const column = eventOrderBy.find((one) => one === (orderBy ?? 'createdAt'))
  if (!column || family !== undefined) throw wrongList('events')
  return {
    type: 'event',
    ids,
    mode,
    details,
    search: {
      filter: body.filter,
      keyword,
      start,
      stop,
      flags: {
        noOwner: noOwnerEvents ?? false,
        noAction: noActionEvents ?? false,
        fullSupport: fullSupportEvents ?? false,
      },
    },
    page: { orderBy: column, order: order ?? (column === 'createdAt' ? 'DESC' : 'ASC') },
  }
}

function wrongList(list: string) {
  return problem('validation-failed', `The order or a filter is not one of ${list}. Ask for what their list can do.`)
}
