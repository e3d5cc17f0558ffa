import * as contract from '@benchwatch/contract/maintenance'
import type { FastifyInstance } from 'fastify'
import { rowId } from '../../db/wire-id.ts'
import type { FeatureContext } from '../context.ts'
import { setMaintenance } from './maintenance.service.ts'

/** An id that no row has. */
const NO_ROW = 0

export function registerMaintenanceRoutes(app: FastifyInstance, context: FeatureContext): void {
  context.bind(app, contract.setMaintenance, async ({ caller, query, body: { id, ...wanted } }) => {
    const request = { ...wanted, ...(id !== undefined && { id: rowId(id) ?? NO_ROW }) }
    return { maintenances: await setMaintenance(context, { instrumentId: query.instrumentId, request, caller }) }
  })
}
