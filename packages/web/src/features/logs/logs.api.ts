import type { LogHit } from '@benchwatch/contract/instruments/logs'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { call } from '../../lib/http.ts'
import type { LogChoice } from './log-labels.ts'

/** Entry point for logs: the logs of an instrument, and their lines. Document 1 sections 7 and 9, wire 7. */

const root = ['logs'] as const

/** One log of an instrument or of one of its clients. */
export interface LogSource extends LogChoice {
  installedProductId: string
}

/** The maximum length of a search on the server. */
export const SEARCH_LENGTH = 200

/** Which lines to read. `from` is inclusive, `to` exclusive, both ISO instants. */
export interface LogLinesInput {
  order: 'ASC' | 'DESC'
  from?: string | undefined
  to?: string | undefined
  /** 1 to 100. */
  size: number
  /** Continues after this line, in the direction of `order`. */
  after?: LogHit['sort'] | undefined
  /** Returns only lines with every word of it; all lines if empty. */
  searchString?: string | undefined
}

/** Lists the logs of an instrument. ApiError 404 if the viewer may not see it. */
export function availableLogsQuery(installedProductId: string) {
  return queryOptions({
    queryKey: [...root, 'available', installedProductId],
    queryFn: ({ signal }) =>
      call('listAvailableLogs', { query: { instrumentInstalledProductId: installedProductId }, signal }),
    staleTime: 30_000,
  })
}

/**
 * Counts the lines of a log in equal parts of a half-open span of ISO instants; with a search, those with every word of
 * it.
 */
export function lineCountsQuery(
  { installedProductId, logType, computerName }: LogSource,
  { from, to, searchString, parts }: { from: string; to: string; searchString: string; parts: number },
) {
  const query = {
    logType,
    instrumentInstalledProductId: installedProductId,
    timeGreaterThan: from,
    timeLessThan: to,
    parts: String(parts),
    ...(computerName !== null && { computerName }),
    ...(searchString.trim() !== '' && { searchString: searchString.trim() }),
  }
  return queryOptions({
    queryKey: [...root, 'counts', query],
    queryFn: ({ signal }) => call('countLogLines', { query, signal }),
    placeholderData: keepPreviousData,
    staleTime: 30_000,
  })
}

/** Query key of lines of one log. */
export function linesKey(source: LogSource | null, input: object) {
  return [...root, 'lines', source, input] as const
}

export interface LogAnswer {
  lines: LogHit[]
  /** Lines in window and search without paging; 10,000 means that or more. */
  total: number
  /** Lines before this moment (ISO) cannot all be read now; null if they can. */
  completeFrom: string | null
}

/** Returns lines in the requested order. */
export async function readLines(
  { installedProductId, logType, computerName }: LogSource,
  { order, from, to, size, after, searchString }: LogLinesInput,
  signal?: AbortSignal,
): Promise<LogAnswer> {
  const query = {
    logType,
    instrumentInstalledProductId: installedProductId,
    order,
    size: String(size),
    ...(computerName !== null && { computerName }),
    ...(from !== undefined && { timeGreaterThan: from }),
    ...(to !== undefined && { timeLessThan: to }),
    ...(after !== undefined && { openSearchTimeStamp: String(after[0]), openSearchLogId: after[1] }),
  }
  const term = searchString?.trim() ?? ''
  const { body, completeFrom } =
    term === ''
      ? await call('listInstrumentLogs', { query, ...(signal && { signal }) })
      : await call('searchInstrumentLogs', { query: { ...query, searchString: term }, ...(signal && { signal }) })
  return { total: body.hits.total.value, lines: body.hits.hits, completeFrom }
}
