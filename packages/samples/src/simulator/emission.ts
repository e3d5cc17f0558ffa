import type { IngestItemInput } from '@benchwatch/contract/ingest'

/** What an instrument reports, before the gateway puts it into an envelope. Heartbeats are the gateway's own. */
export type Emission = EmissionOf<Exclude<IngestItemInput['type'], 'benchwatch.heartbeat'>>
export type EmissionOf<Type extends IngestItemInput['type']> = Type extends unknown
  ? Pick<Extract<IngestItemInput, { type: Type }>, 'type' | 'data'>
  : never

export type LogLine = Extract<IngestItemInput, { type: 'benchwatch.log.appended' }>['data']['lines'][number]
