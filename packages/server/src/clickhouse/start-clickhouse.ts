import type { Config } from '../config.ts'
import type { DatabaseHandle } from '../db/connect.ts'
import type { LeaderTask } from '../db/queues/leader.ts'
import type { LongReads } from '../db/replica/long-reads.ts'
import type { EventSearch } from '../features/events/search/event-search.ts'
import type { LogStore } from '../features/logs/log-store.ts'
import type { Clock } from '../platform/clock.ts'
import type { Log } from '../platform/log.ts'
import { type Clickhouse, ClickhouseFault, connectClickhouse } from './clickhouse.ts'
import { ClickhouseSearch } from './clickhouse-search.ts'
import { EventFeed } from './event-feed.ts'
import { deleteLinesOfDeletedInstruments, KEPT_MS, moveLogLines } from './log-feed.ts'
import { createClickhouseLogs } from './log-store.ts'

interface Parts {
  config: Pick<Config, 'clickhouse' | 'logRetentionDays'>
  database: Pick<DatabaseHandle, 'db' | 'dedicatedClient'>
  reads: LongReads
  clock: Clock
  log: Log
  /** Answers searches while ClickHouse cannot. */
  fallback: EventSearch
}

export interface StartedClickhouse {
  search: EventSearch
  logs: LogStore
  /** Tasks of the leader: one process feeds ClickHouse for all. */
  tasks: LeaderTask[]
  /** Call it after the leader has stopped. */
  stop(): Promise<void>
}

/** Starts searching events and reading logs in ClickHouse; undefined if none is configured. */
export async function startClickhouse({
  config: { clickhouse: server, logRetentionDays },
  database,
  reads,
  clock,
  log,
  fallback,
}: Parts): Promise<StartedClickhouse | undefined> {
  if (server === null) return undefined
  const clickhouse = await connectClickhouse(server)
  const parts = { clickhouse, database, reads, logRetentionDays, log }
  const feed = new EventFeed(parts)
  const search = new ClickhouseSearch({ clickhouse, db: database.db, fallback, log }).start()
  return {
    search,
    logs: createClickhouseLogs({ clickhouse, db: database.db, clock, log }),
    tasks: [
      feedTask({ name: 'copy events to ClickHouse', everyMs: 1000, run: () => feed.advance() }, parts),
      feedTask(
        {
          name: 'move log lines to ClickHouse',
          everyMs: 60_000,
          run: () => moveLogLines(parts, new Date(clock.now().getTime() - KEPT_MS)),
        },
        parts,
      ),
      feedTask(
        {
          name: 'delete log lines of deleted instruments',
          everyMs: 3_600_000,
          run: () => deleteLinesOfDeletedInstruments(parts),
        },
        parts,
      ),
    ],
    async stop() {
      await search.stop()
      await feed.stop()
      await clickhouse.close()
    },
  }
}

/** Reports once that ClickHouse is away, and not with every run. */
function feedTask(task: LeaderTask, { clickhouse, log }: { clickhouse: Clickhouse; log: Log }): LeaderTask {
  let hasFailed = false
  return {
    ...task,
    async run() {
      if (clickhouse.isPaused) return
      try {
        await task.run()
        hasFailed = false
      } catch (error) {
        if (!(error instanceof ClickhouseFault)) throw error
        // Without tables it is new, and the feed of events is about to create them.
        if (!hasFailed && !error.isEmpty) {
          log.warn({ err: error, task: task.name }, 'ClickHouse cannot be fed; changes wait in PostgreSQL')
        }
        hasFailed = true
      }
    },
  }
}
