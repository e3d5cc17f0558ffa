import type { IngestAnswer } from '@benchwatch/contract/ingest'
import { Counter, Histogram, type Registry } from 'prom-client'

/** What gateways sent to this process. */
export interface IngestMetrics {
  /** A batch was answered after so many seconds. */
  answered(answer: IngestAnswer, seconds: number): void
}

export function createIngestMetrics(registry: Registry): IngestMetrics {
  const items = new Counter({
    name: 'benchwatch_ingest_items_total',
    help: 'Items of gateways by what became of them',
    labelNames: ['result'],
    registers: [registry],
  })
  const batches = new Histogram({
    name: 'benchwatch_ingest_batch_duration_seconds',
    help: 'Time from the arrival of a whole batch to its commit',
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    registers: [registry],
  })
  for (const result of ['accepted', 'duplicate', 'rejected']) items.inc({ result }, 0)
  return {
    answered({ accepted, duplicates, rejected }, seconds) {
      items.inc({ result: 'accepted' }, accepted)
      items.inc({ result: 'duplicate' }, duplicates)
      items.inc({ result: 'rejected' }, rejected.length)
      batches.observe(seconds)
    },
  }
}
