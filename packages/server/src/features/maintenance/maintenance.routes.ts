import * as contract from '@benchwatch/contract/instruments/maintenance'
import type { FastifyInstance } from 'fastify'
import { rowId } from '../../db/sql/wire-id.ts'
import { problem } from '../../platform/http/problem.ts'
import type { FeatureContext } from '../context.ts'
import { setMaintenance } from './maintenance.service.ts'
import { recurrenceRefusal } from './maintenance-plan.ts'
import { nextWindows } from './recurrence.ts'

/** Number of windows in a preview, enough to recognise the pattern. */
const PREVIEWED = 3

/** Id that no row has. */
const NO_ROW = 0

export function registerMaintenanceRoutes(app: FastifyInstance, context: FeatureContext): void {
  context.bind(app, contract.setMaintenance, async ({ caller, query, body: { id, ...input } }) => {
    const request = { ...input, ...(id !== undefined && { id: rowId(id) ?? NO_ROW }) }
    return { maintenances: await setMaintenance(context, { instrumentId: query.instrumentId, request, caller }) }
  })

  context.bind(app, contract.previewMaintenance, async ({ body }) => {
    const refusal = recurrenceRefusal(body)
    if (refusal !== null) throw problem('bad-maintenance', refusal)
    const windows = nextWindows(body, { after: context.clock.now(), count: PREVIEWED })
    return { windows: windows.map(({ start, end }) => ({ start: start.toISOString(), end: end.toISOString() })) }
  })
}
