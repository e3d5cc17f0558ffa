import type { InstrumentStatus } from '@benchwatch/contract/vocabulary'
import type { HistoricItem } from '@benchwatch/samples/simulator/history'
import { fold } from '../db/fold.ts'
import type { CopyRow } from './copy-rows.ts'
import type { HistoryEvents } from './history-events.ts'
import { HISTORY_ORDINAL, type HistoryInstrument, type LastStatus } from './history-fixture.store.ts'

type Sampled = Extract<HistoricItem['item'], { type: 'benchwatch.usage.sampled' }>

type UsageRow = { table: 'component_usage' | 'component_usage_day'; row: CopyRow }

/**
 * Usage of one instrument so far: the newest of each component, and the last value of each metric on the current day.
 */
interface Usage {
  components: Map<string, CopyRow>
  day: string
  values: Map<string, CopyRow>
}

/** Component usage of a fleet in order of the samples: a day is written when the next one has begun. */
class UsageHistory {
  readonly #instruments = new Map<number, Usage>();

  *sample(instrumentId: number, { data, time, sequence }: Sampled): Generator<UsageRow> {
    const day = time.slice(0, 10)
    const usage = this.#instruments.get(instrumentId) ?? { components: new Map(), day, values: new Map() }
    this.#instruments.set(instrumentId, usage)
    if (usage.day !== day) {
      yield* dayRows(usage)
      usage.day = day
      usage.values.clear()
    }
    const counted = [HISTORY_ORDINAL, Number(sequence)]
    for (const { componentName, usage: metrics, info, details } of data.components) {
      const lists = [metrics, info, details].map((list) => JSON.stringify(list))
      usage.components.set(componentName, [instrumentId, componentName, time, ...counted, ...lists])
      for (const { metric, value } of metrics) {
        if (value === null) continue
        usage.values.set(`${componentName}\n${metric}`, [instrumentId, componentName, metric, day, ...counted, value])
      }
    }
  }

  /** Yields the remaining rows after the last sample. */
  *rest(): Generator<UsageRow> {
    for (const usage of this.#instruments.values()) {
      yield* dayRows(usage)
      for (const row of usage.components.values()) yield { table: 'component_usage', row }
    }
  }
}

/** Columns of the tables that the history fills row by row, in the order of the values. */
export const historyColumns = {
  instrument_status_history: ['instrument_id', 'at', 'epoch', 'sequence', 'status', 'received_at', 'run_id'],
  log_entry: [
    ...['instrument_id', 'log_type', 'ts', 'message', 'module', 'level', 'event_code', 'user_name', 'hostname'],
    'received_at',
  ],
  runtime_day: ['instrument_id', 'day', 'epoch', 'sequence', 'seconds'],
  component_usage_day: ['instrument_id', 'component_name', 'metric', 'day', 'epoch', 'sequence', 'value'],
  component_usage: [
    ...['instrument_id', 'component_name', 'sampled_at', 'epoch', 'sequence', 'usage', 'info', 'details'],
  ],
  instrument_software: [
    ...['instrument_id', 'reported_at', 'epoch', 'sequence', 'client_pc_names', 'instrument_server_pc_name'],
    ...['unicorn_version', 'unicorn_win_os', 'unicorn_pc_name', 'unicorn_service_pack', 'unicorn_embedded_pc_domain'],
    ...['unicorn_embedded_pc_type', 'unicorn_installed_config_file', 'unicorn_network_configurations'],
  ],
} as const

export type HistoryTable = keyof typeof historyColumns
export interface HistoryRow {
  table: HistoryTable
  row: CopyRow
}

type Told<Type extends HistoricItem['item']['type']> = Extract<HistoricItem['item'], { type: Type }>

/** Number of recent statuses kept per instrument: an alarm is reported moments after it is generated, not days. */
const STATUSES_KEPT = 64

/**
 * Processes the reports of instruments as ingest does. Rows are yielded as soon as they are final, so that months of
 * history are never in memory; raises and clears go to `events`. Items of one instrument must come in sequence order.
 */
export class HistoryRows {
  readonly #instruments: ReadonlyMap<string, HistoryInstrument>
  readonly #events: HistoryEvents
  readonly #until: Date
  readonly #statuses = new Map<number, LastStatus[]>()
  readonly #runs = new Map<string, { id: number; customerId: number; name: string }>()
  readonly #usage = new UsageHistory()
  readonly #runtimes = new Map<string, CopyRow>()
  readonly #software = new Map<number, CopyRow>()
  /** The outbox lifetime of the items. */
  epoch = ''

  constructor(around: {
    instruments: ReadonlyMap<string, HistoryInstrument>
    events: HistoryEvents
    /** Later items have not arrived. */
    until: Date
  }) {
    this.#instruments = around.instruments
    this.#events = around.events
    this.#until = around.until
  }

  *follow(items: Iterable<HistoricItem>): Generator<HistoryRow> {
    for (const { item, arrivedAt: receivedAt } of items) {
      const instrument = this.#instruments.get(item.subject)
      if (!instrument || receivedAt > this.#until) continue
      this.epoch ||= item.id.slice(0, item.id.lastIndexOf('-'))
      yield* this.#rowsOf(item, { instrument, receivedAt })
    }
    yield* this.#usage.rest()
    yield* rowsFor('runtime_day', this.#runtimes)
    yield* rowsFor('instrument_software', this.#software)
  }

  /** Returns the last status of each instrument. */
  lastStatuses(): LastStatus[] {
    return [...this.#statuses.values()].flatMap((told) => told.at(-1) ?? [])
  }

  /** Returns the rows of the runs that statuses named. */
  runs(): CopyRow[] {
    return [...this.#runs.values()].map(({ id, customerId, name }) => [id, customerId, name, fold(name)])
  }

  /** A run that ends or begins is dated by its status, which every later one repeats. */
  #runOf(
    instrument: HistoryInstrument,
    { data, time }: Told<'benchwatch.status.changed'>,
  ): Pick<LastStatus, 'runId' | 'runSince'> {
    const before = this.#statuses.get(instrument.id)?.at(-1)
    if (!data.run && (data.instrumentStatus === 'Unknown' || data.instrumentStatus === 'disconnected')) {
      return { runId: before?.runId ?? null, runSince: before?.runSince ?? null }
    }
    const runId = data.run ? this.#runId(instrument.customerId, data.run) : null
    return { runId, runSince: runId === (before?.runId ?? null) ? (before?.runSince ?? null) : new Date(time) }
  }

  #runId(customerId: number, name: string): number {
    const key = `${customerId} ${name}`
    const known = this.#runs.get(key) ?? { id: this.#runs.size + 1, customerId, name }
    this.#runs.set(key, known)
    return known.id
  }

  *#rowsOf(
    item: HistoricItem['item'],
    { instrument, receivedAt }: { instrument: HistoryInstrument; receivedAt: Date },
  ): Generator<HistoryRow> {
    const place = [instrument.id, HISTORY_ORDINAL, Number(item.sequence)] as const
    switch (item.type) {
      case 'benchwatch.status.changed':
        yield this.#status(item, { instrument, receivedAt })
        break
      case 'benchwatch.log.appended':
        for (const line of item.data.lines) {
          const { timestamp, message, module, level, eventCode, userName, hostname } = line
          yield {
            table: 'log_entry',
            row: [
              ...[instrument.id, item.data.logType, timestamp, message, module, level, eventCode, userName, hostname],
              receivedAt,
            ],
          }
        }
        break
      case 'benchwatch.usage.sampled':
        yield* this.#usage.sample(instrument.id, item)
        break
      case 'benchwatch.runtime.measured': {
        const [id, epoch, sequence] = place
        const { day, seconds } = item.data
        this.#runtimes.set(`${id} ${day}`, [id, day, epoch, sequence, Math.round(seconds)])
        break
      }
      case 'benchwatch.clients.changed':
        this.#software.set(instrument.id, softwareRow(instrument.id, item))
        break
      case 'benchwatch.alarm.cleared':
        this.#events.clear(item)
        break
      case 'benchwatch.alarm.raised': {
        this.#events.raise(item, { instrument, ...this.#stateBefore(instrument.id, item), receivedAt })
        break
      }
      case 'benchwatch.heartbeat':
        break
    }
  }

  #status(
    item: Told<'benchwatch.status.changed'>,
    { instrument, receivedAt }: { instrument: HistoryInstrument; receivedAt: Date },
  ): HistoryRow {
    const { data, time, sequence } = item
    const told = {
      instrumentId: instrument.id,
      at: new Date(time),
      sequence: Number(sequence),
      status: data.instrumentStatus,
      ...this.#runOf(instrument, item),
    }
    const known = this.#statuses.get(instrument.id) ?? []
    known.push(told)
    if (known.length > 2 * STATUSES_KEPT) known.splice(0, STATUSES_KEPT)
    this.#statuses.set(instrument.id, known)
    const runId = data.run ? told.runId : null
    return {
      table: 'instrument_status_history',
      row: [instrument.id, time, HISTORY_ORDINAL, told.sequence, told.status, receivedAt, runId],
    }
  }

  #stateBefore(
    instrumentId: number,
    { data, sequence }: Told<'benchwatch.alarm.raised'>,
  ): { statusAtEvent: InstrumentStatus; runId: number | null } {
    const reports = this.#statuses.get(instrumentId) ?? []
    const at = Date.parse(data.logGeneratedAt)
    const before = reports.findLast(
      (report) => report.at.getTime() < at || (report.at.getTime() === at && report.sequence < Number(sequence)),
    )
    return {
      statusAtEvent: (before ?? reports.at(-1))?.status ?? 'Unknown',
      runId: reports.findLast((report) => report.at.getTime() <= at)?.runId ?? null,
    }
  }
}

function* rowsFor(table: HistoryTable, rows: ReadonlyMap<unknown, CopyRow>): Generator<HistoryRow> {
  for (const row of rows.values()) yield { table, row }
}

function softwareRow(instrumentId: number, { data, time, sequence }: Told<'benchwatch.clients.changed'>): CopyRow {
  return [
    ...[instrumentId, time, HISTORY_ORDINAL, Number(sequence), [...new Set(data.clientPcNames)]],
    ...[data.instrumentServerPcName, data.unicornVersion, data.unicornWinOs, data.unicornPcName],
    ...[data.unicornServicePack, data.unicornEmbeddedPcDomain, data.unicornEmbeddedPcType],
    ...[data.unicornInstalledConfigFile, data.unicornNetworkConfigurations],
  ]
}

function* dayRows({ values }: Usage): Generator<UsageRow> {
  for (const row of values.values()) yield { table: 'component_usage_day', row }
}
