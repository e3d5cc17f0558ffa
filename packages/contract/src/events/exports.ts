import { z } from 'zod'
import { instrumentFilter, instrumentSearch } from '../instruments/instruments.ts'
import { paths } from '../paths.ts'
import { id, instant, linkToken, order } from '../primitives.ts'
import { route } from '../route.ts'
import { eventOrderBy, exportDetails, exportStates, instrumentOrderBy, limits, selectionModes } from '../vocabulary.ts'
import { eventFilter, eventSearch } from './events.ts'

/** Export of lists as CSV files: wire 8, 3-decisions 8. */

const selected = {
  /** `include`: these ids. `exclude`: everything that filter, keyword and range match, except these ids. */
  ids: z.array(id).max(limits.bulkEvents),
  mode: z.enum(selectionModes),
  /** BASIC: the columns on screen; FULL: all fields. */
  details: z.enum(exportDetails),
}

export const createExport = route({
  ...paths.createExport,
  summary: 'Export a list as CSV. The selection is fixed now; a job writes the file. 20 per hour',
  /**
   * Quick-filter flags apply only to events, instrumentFamily only to instruments. start and stop mean the same as in
   * each list.
   */
  query: z.strictObject({
    ...eventSearch,
    instrumentFamily: instrumentSearch.instrumentFamily,
    order: order.optional(),
    /** A column of the exported list; default: that list's own default. */
    orderBy: z.enum([...eventOrderBy, ...instrumentOrderBy]).optional(),
  }),
  body: z.discriminatedUnion('type', [
    z.strictObject({ ...selected, type: z.literal('event'), filter: eventFilter.default({}) }),
    z.strictObject({ ...selected, type: z.literal('instrument'), filter: instrumentFilter.default({}) }),
  ]),
  answer: z.object({
    /** Download address, valid without a token until expiresAt; relative to the origin. */
    url: z.string(),
    exportId: z.uuid(),
    /** Number of rows that the finished file will have. */
    rows: z.number().int(),
    expiresAt: instant,
  }),
  // Sorting a million events takes 1.5 s, ten million 20 s.
  answerSeconds: 55,
  errors: ['session-expired', 'too-many-requests', 'feature-off'],
  access: { kind: 'signed-in' },
})

/** Progress of an export file. */
export const exportProgress = z.object({
  state: z.enum(exportStates),
  /** Rows written so far. */
  written: z.number().int(),
  rows: z.number().int(),
  url: z.string(),
})

export const getExport = route({
  ...paths.getExport,
  summary: 'Progress of an export; only for the user who started it',
  params: z.object({ exportId: z.uuid() }),
  answer: exportProgress,
  errors: ['session-expired', 'not-found'],
  access: { kind: 'signed-in' },
})

export const downloadExport = route({
  ...paths.downloadExport,
  summary: 'The complete file of an export; waits up to 30 s for it. Its random name grants access for 15 minutes',
  params: z.object({ token: linkToken }),
  answerType: 'text/csv',
  answerSeconds: 35,
  errors: ['not-found', 'unavailable'],
  access: { kind: 'public' },
})
