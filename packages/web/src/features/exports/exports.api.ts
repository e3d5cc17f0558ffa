import type { ExportDetails } from '@benchwatch/contract/vocabulary'
import { type CallAnswer, type CallInput, call } from '../../lib/http.ts'

/** The door to exports: what is asked for as a file, and how far it has come. Wire 8. */

type Body = CallInput<'createExport'>['body']

/** What is exported: the query of the list without its paging, in its order, and which of what that finds. */
export interface ExportRequest {
  query: NonNullable<CallInput<'createExport'>['query']>
  /** `include`: these ids; `exclude`: all that query and filter find, but for these ids. */
  body: Omit<Extract<Body, { type: 'event' }>, 'details'> | Omit<Extract<Body, { type: 'instrument' }>, 'details'>
}

/** Fixes the selection and begins its file. Throws ApiError; 429 says when the next one may begin. */
export function createExport(
  { query, body }: ExportRequest,
  details: ExportDetails,
): Promise<CallAnswer<'createExport'>> {
  return call('createExport', { query, body: { ...body, details } })
}

export function readExport(exportId: string, signal: AbortSignal): Promise<CallAnswer<'getExport'>> {
  return call('getExport', { params: { exportId }, signal })
}
