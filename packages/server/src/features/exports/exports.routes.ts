import * as contract from '@benchwatch/contract/exports'
import type { FastifyInstance } from 'fastify'
import type { DatabaseHandle } from '../../db/connect.ts'
import type { FileStore } from '../../platform/files/file-store.ts'
import type { FeatureContext } from '../context.ts'
import { openExportFile } from './export-download.ts'
import { createExport, getExport } from './exports.service.ts'

export function registerExportRoutes(
  app: FastifyInstance,
  context: FeatureContext & { database: DatabaseHandle; files: FileStore },
): void {
  const { bind } = context

  bind(app, contract.createExport, ({ caller, query, body }) => {
    const { keyword, start, stop, orderBy, order } = query
    return createExport(context, {
      caller,
      wanted: {
        ids: body.ids,
        mode: body.mode,
        details: body.details,
        search: {
          ...{ filter: body.filter, keyword, start, stop },
          flags: {
            noOwner: query.noOwnerEvents ?? false,
            noAction: query.noActionEvents ?? false,
            fullSupport: query.fullSupportEvents ?? false,
          },
        },
        page: { orderBy, order: order ?? (orderBy === 'createdAt' ? 'DESC' : 'ASC') },
      },
    })
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
