import type { LogHit } from '@benchwatch/contract/instruments/logs'
import type { DatabaseHandle } from '../db/connect.ts'
import { inTransaction } from '../db/transaction.ts'
import { appendLogLines, type NewLogLine } from '../features/ingest/readings.store.ts'
import { TEST_NOW } from './test-app.ts'

/** A line of an instrument; by default of type VID and at the test's current time. */
export type SampleLine = Partial<NewLogLine> & Pick<NewLogLine, 'instrumentId' | 'message'>

/** Appends lines as if they were received at `receivedAt`. */
export async function appendSampleLines(
  { db }: Pick<DatabaseHandle, 'db'>,
  lines: readonly SampleLine[],
  receivedAt = TEST_NOW,
): Promise<void> {
  await inTransaction(db, (trx) =>
    appendLogLines(trx, {
      now: receivedAt,
      lines: lines.map((line) => ({ logType: 'VID', timestamp: TEST_NOW, ...line })),
    }),
  )
}

/** Returns the messages of the lines, in the order of the answer. */
export const messagesOf = (hits: readonly LogHit[]): string[] => hits.map(({ _source }) => _source.message)
