import type { LogHit } from '@benchwatch/contract/logs'
import type { DatabaseHandle } from '../db/connect.ts'
import { inTransaction } from '../db/transaction.ts'
import { appendLogLines, type NewLogLine } from '../features/ingest/readings.store.ts'
import { TEST_NOW } from './test-app.ts'

/** A line of an instrument; of VID and of the test's now unless it says otherwise. */
export type SampleLine = Partial<NewLogLine> & Pick<NewLogLine, 'instrumentId' | 'message'>

/** Appends lines as they would have come in at `receivedAt`. */
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

/** What lines say, in the order in which they were answered. */
export const messagesOf = (hits: readonly LogHit[]): string[] => hits.map(({ _source }) => _source.message)
