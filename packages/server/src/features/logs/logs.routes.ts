import type { AvailableLog } from '@benchwatch/contract/instruments/logs'
import * as contract from '@benchwatch/contract/instruments/logs'
import type { RouteTypes } from '@benchwatch/contract/route'
import { logTypes } from '@benchwatch/contract/vocabulary'
import type { FastifyInstance } from 'fastify'
import type { DataScope } from '../../db/actor.ts'
import { problem } from '../../platform/http/problem.ts'
import type { FeatureContext } from '../context.ts'
import { findInstrument, findLinkedClients, readRuns } from '../instruments/instruments.lookup.ts'
import type { LogAnswer, LogQuestion, LogSelection, LogStore, StoredLog } from './log-store.ts'
import { searchWords } from './log-words.ts'

const RUNS_DAYS = 400
const MOST_RUNS = 100

export function registerLogRoutes(app: FastifyInstance, context: FeatureContext & { logs: LogStore }): void {
  const { bind, logs } = context

  bind(app, contract.listInstrumentLogs, async ({ caller, query }) =>
    pageOf(await logs.read(await questionOf(context, { query, scope: caller.scope, words: [] }))),
  )

  bind(app, contract.searchInstrumentLogs, async ({ caller, query }) => {
    const words = searchWords(query.searchString)
    return pageOf(await logs.read(await questionOf(context, { query, scope: caller.scope, words })))
  })

  bind(app, contract.countLogLines, async ({ caller, query }) => {
    const { timeGreaterThan: from, timeLessThan: to, parts, searchString = '' } = query
    const words = searchWords(searchString)
    const selection = await selectionOf(context, { query, scope: caller.scope, words })
    const { counts, countedFrom } = await logs.count({ ...selection, from, to, parts })
    return { counts, countedFrom: countedFrom?.toISOString() ?? null }
  })

  bind(app, contract.listAvailableLogs, async ({ caller, query }) => {
    const instrument = { installedProductId: query.instrumentInstalledProductId, scope: caller.scope }
    const instrumentId = await instrumentIdOf(context, instrument)
    const stop = context.clock.now()
    const start = new Date(stop.getTime() - RUNS_DAYS * 86_400_000)
    const [stored, linked, runs] = await Promise.all([
      logs.available({ scope: caller.scope, instrumentId }),
      findLinkedClients(context.db, instrument),
      readRuns(context.db, { scope: caller.scope, instrumentId, start, stop, limit: MOST_RUNS }),
    ])
    return {
      values: availableLogs(stored.logs, linked?.clientPcNames ?? []),
      runs: runs.toReversed(),
      completeFrom: stored.completeFrom?.toISOString() ?? null,
    }
  })
}

type Query = RouteTypes<typeof contract.listInstrumentLogs>['query']

interface Input<Query> {
  query: Query
  scope: DataScope
  words: readonly string[]
}

async function questionOf(context: Pick<FeatureContext, 'db'>, input: Input<Query>): Promise<LogQuestion> {
  const { order, size, openSearchLogId: id, openSearchTimeStamp: timestamp = 0 } = input.query
  return { ...(await selectionOf(context, input)), order, size, after: id === undefined ? null : { id, timestamp } }
}

/** Throws `Missing {logType} search index/id` if neither instrument nor computer is given (document 1 section 8). */
async function selectionOf(
  context: Pick<FeatureContext, 'db'>,
  { query, scope, words }: Input<Omit<Query, 'order' | 'size'>>,
): Promise<LogSelection> {
  const { instrumentInstalledProductId: installedProductId, computerName } = query
  if (installedProductId === undefined && computerName === undefined) {
    throw problem('validation-failed', `Missing ${query.logType} search index/id`)
  }
  return {
    scope,
    words,
    logType: query.logType,
    instrumentId:
      installedProductId === undefined ? null : await instrumentIdOf(context, { installedProductId, scope }),
    computerName: computerName ?? null,
    enterprise: query.enterprise ?? null,
    from: query.timeGreaterThan ?? null,
    to: query.timeLessThan ?? null,
  }
}

async function instrumentIdOf(
  { db }: Pick<FeatureContext, 'db'>,
  { installedProductId, scope }: { installedProductId: string; scope: DataScope },
): Promise<number> {
  const instrument = await findInstrument(db, { installedProductId, scope })
  if (!instrument) throw problem('not-found', 'Instrument could not be found. Check its installed product ID.')
  return instrument.id
}

function pageOf({ hits, total, completeFrom }: LogAnswer): contract.LogPage {
  return { body: { hits: { total: { value: total }, hits } }, completeFrom: completeFrom?.toISOString() ?? null }
}

/**
 * Returns the logs of an instrument that can be opened (3-decisions 4): one box for each log type with lines, in the
 * order of the vocabulary. Clients have one box per computer, by name: computers that are linked now, because a user
 * who looks for the log of a PC must see that it has no lines, and replaced computers whose lines still exist.
 */
function availableLogs(stored: readonly StoredLog[], linkedClients: readonly string[]): AvailableLog[] {
  const named = new Set(stored.flatMap(({ computerName }) => computerName ?? []))
  const silent = linkedClients.filter((name) => !named.has(name))
  const all = [
    ...stored.map(({ newest, ...log }) => ({ ...log, newest: newest.toISOString() })),
    ...silent.map((computerName) => ({ logType: 'UNICORNCLIENT' as const, computerName, newest: null })),
  ]
  return all.toSorted(
    (one, other) =>
      logTypes.indexOf(one.logType) - logTypes.indexOf(other.logType) ||
      // Lines without a name come after those with one.
      Number(one.computerName === null) - Number(other.computerName === null) ||
      (one.computerName ?? '').localeCompare(other.computerName ?? ''),
  )
}
