import type { IngestItemInput } from '@benchwatch/contract/ingest'

/** A report of an instrument without the gateway's envelope. Heartbeats come from the gateway itself. */
export type Emission = EmissionOf<Exclude<IngestItemInput['type'], 'benchwatch.heartbeat'>>
export type EmissionOf<Type extends IngestItemInput['type']> = Type extends unknown
  ? Pick<Extract<IngestItemInput, { type: Type }>, 'type' | 'data'>
  : never

export type LogLine = Extract<IngestItemInput, { type: 'benchwatch.log.appended' }>['data']['lines'][number]
