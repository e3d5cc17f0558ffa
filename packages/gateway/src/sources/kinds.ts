import { z } from 'zod'
import type { Source } from '../source.ts'
import { files, filesSource } from './files.ts'
import { httpIn, httpSource } from './http.ts'
import { mail, mailSource } from './mail.ts'
import { modbus, modbusSource } from './modbus.ts'
import { mqtt, mqttSource } from './mqtt.ts'
import { opcua, opcuaSource } from './opcua.ts'
import { snmp, snmpSource } from './snmp.ts'
import { sparkplug, sparkplugSource } from './sparkplug.ts'

/** The kinds of sources: the schema of each and its start. Files of sources load their libraries when they start. */
export const sourceConfig = z.discriminatedUnion('kind', [
  mqttSource,
  httpSource,
  opcuaSource,
  snmpSource,
  modbusSource,
  filesSource,
  mailSource,
  sparkplugSource,
])
export type SourceConfig = z.output<typeof sourceConfig>

export function sourceOf(config: SourceConfig): Source {
  switch (config.kind) {
    case 'mqtt':
      return mqtt(config)
    case 'http':
      return httpIn(config)
    case 'opcua':
      return opcua(config)
    case 'snmp':
      return snmp(config)
    case 'modbus':
      return modbus(config)
    case 'files':
      return files(config)
    case 'mail':
      return mail(config)
    case 'sparkplug':
      return sparkplug(config)
  }
}
