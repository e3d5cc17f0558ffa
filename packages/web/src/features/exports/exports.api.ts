import type { ExportDetails } from '@benchwatch/contract/vocabulary'
import { type CallAnswer, type CallInput, call } from '../../lib/http.ts'

/** Entry point for exports: starts one and reports its progress. Wire 8. */

type Body = CallInput<'createExport'>['body']

/** The list's query without paging, in its order, and the selection within it. */
export interface ExportRequest {
  query: NonNullable<CallInput<'createExport'>['query']>
  /** `include`: these ids. `exclude`: everything that query and filter find, except these ids. */
  body: Omit<Extract<Body, { type: 'event' }>, 'details'> | Omit<Extract<Body, { type: 'instrument' }>, 'details'>
}

/** Freezes the selection and starts its file. Throws ApiError; 429 says when the next export may start. */
export function createExport(
  { query, body }: ExportRequest,
  details: ExportDetails,
): Promise<CallAnswer<'createExport'>> {
  return call('createExport', { query, body: { ...body, details } })
}

export function readExport(exportId: string, signal: AbortSignal): Promise<CallAnswer<'getExport'>> {
  return call('getExport', { params: { exportId }, signal })
}
