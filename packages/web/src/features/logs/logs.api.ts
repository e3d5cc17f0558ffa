import type { LogHit } from '@benchwatch/contract/logs'
import type { LogType } from '@benchwatch/contract/vocabulary'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../lib/http.ts'

/** The door to logs: which an instrument has, and their lines. Document 1 sections 7 and 9, wire 7. */

const root = ['logs'] as const

/** One log: of an instrument, and of one of its clients where that is a client's log. */
export interface LogSource {
  installedProductId: string
  logType: LogType
  computerName: string | null
}

/** Which lines. `from` is inclusive, `to` exclusive, both ISO instants. */
export interface LogLinesInput {
  order: 'ASC' | 'DESC'
  from?: string | undefined
  to?: string | undefined
  /** 1 to 100. */
  size: number
  /** Go on after this line, in the direction of `order`. */
  after?: LogHit['sort'] | undefined
  /** Only lines that hold every word of it; without words, all. */
  searchString?: string | undefined
}

/** Which logs an instrument has. ApiError 404 where the viewer may not see it. */
export function availableLogsQuery(installedProductId: string) {
  return queryOptions({
    queryKey: [...root, 'available', installedProductId],
    queryFn: ({ signal }) =>
      call('listAvailableLogs', { query: { instrumentInstalledProductId: installedProductId }, signal }),
    staleTime: 30_000,
  })
}

/** Lines that were read of one log, by what was asked. */
export function linesKey(source: LogSource, asked: object) {
  return [...root, 'lines', source, asked] as const
}

/** A log that is read on in both directions from `from`, ms since 1970 by its own clock. */
export function streamKey(source: LogSource | null, asked: { search: string; from: number }) {
  return [...root, 'stream', source, asked] as const
}

/**
 * Lines in the order asked for, and how many the window and the search hold without paging (10,000 means that or more).
 */
export async function readLines(
  { installedProductId, logType, computerName }: LogSource,
  { order, from, to, size, after, searchString }: LogLinesInput,
  signal?: AbortSignal,
): Promise<{ total: number; lines: LogHit[] }> {
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
  const words = searchString?.trim() ?? ''
  const { body } =
    words === ''
      ? await call('listInstrumentLogs', { query, ...(signal && { signal }) })
      : await call('searchInstrumentLogs', { query: { ...query, searchString: words }, ...(signal && { signal }) })
  return { total: body.hits.total.value, lines: body.hits.hits }
}
