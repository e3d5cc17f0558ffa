import { z } from 'zod'
import { paths } from '../paths.ts'
import { id, instantInput, text } from '../primitives.ts'
import { route } from '../route.ts'
import { bulkStates, limits, quickFilters, selectionModes } from '../vocabulary.ts'
import { eventFilter, serviceEventChange } from './events.ts'

/**
 * One change to many service events: wire 2. Each event passes the rules of PUT /alarms/{id}; events that fail them
 * are listed one by one. A change that no event could take (no reason to close, an unknown owner) is refused as a
 * whole with the 400 that PUT would answer.
 */

/**
 * Selects events. `include`: these ids. `exclude`: all events that filter, keyword, range and quick filter match,
 * except these ids. Ids outside the scope are ignored.
 */
export const bulkSelection = z.strictObject({
  /** Larger selections are refused with `selection-too-large`, whose sentence says what to do. */
  ids: z.array(id),
  mode: z.enum(selectionModes),
  filter: eventFilter.default({}),
  keyword: text(limits.keyword).nullable().optional(),
  start: instantInput.nullable().optional(),
  stop: instantInput.nullable().optional(),
  quick: z.enum(quickFilters).nullable().optional(),
})

/** An event that was not changed, with the `code` and `ErrorBody` that PUT would have answered. */
export const bulkFailure = z.object({ id, eventId: z.string(), code: z.string(), ErrorBody: z.string() })
export type BulkFailure = z.output<typeof bulkFailure>

/**
 * `changed` counts modified events. An event that already has the requested values counts neither as changed nor as
 * failed.
 */
export const bulkResult = z.object({ changed: z.number().int(), failed: z.array(bulkFailure) })
export type BulkResult = z.output<typeof bulkResult>

/** Above 500 events the change runs as a job; its progress is read with this id. */
export const bulkAccepted = z.object({ jobId: z.string() })

export const changeServiceEvents = route({
  ...paths.changeServiceEvents,
  summary: 'Change many service events: up to 500 at once, up to 10,000 as a job (202)',
  body: z.strictObject({ ...bulkSelection.shape, change: serviceEventChange }),
  answer: z.union([bulkResult, bulkAccepted]),
  success: [200, 202],
  /** 500 changes take about two seconds; this leaves room for a busy machine. */
  answerSeconds: 30,
  errors: ['session-expired', 'bad-change', 'unknown-owner', 'selection-too-large'],
  access: { kind: 'signed-in' },
})

/** `failed`: the job stopped early, because the user may no longer change events or because it stalled. */
export const bulkProgress = z.object({
  state: z.enum(bulkStates),
  ...bulkResult.shape,
  /** Number of events processed so far, changed or not. */
  done: z.number().int(),
  total: z.number().int(),
})
export type BulkProgress = z.output<typeof bulkProgress>

export const getBulkChange = route({
  ...paths.getBulkChange,
  summary: 'Progress of a bulk change; only for the user who started it',
  params: z.object({ jobId: z.uuid() }),
  answer: bulkProgress,
  errors: ['session-expired', 'not-found'],
  access: { kind: 'signed-in' },
})
