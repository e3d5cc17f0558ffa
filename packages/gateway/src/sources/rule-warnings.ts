import { matches } from '../mapping/conditions.ts'
import { fieldsOf } from '../mapping/templates.ts'
import type { SourceConfig } from './kinds.ts'
import { distinct, type MqttConfig } from './mqtt.ts'

/** The fields of every message of a kind; of HTTP in the format `json`, because those of the others depend on the sender. */
const known: Record<SourceConfig['kind'], RegExp> = {
  mqtt: /^(topic\d*|retain|text|json|id|repeated)$/,
  snmp: /^(trap|address|user|inform|values|id|repeated)$/,
  modbus: /^(name|value|instrument)$/,
  files: /^(file|row|json|id|repeated)$/,
  http: /^(path|json)$/,
  opcua:
    /^(kind|id|key|instrument|time|typeName|sourceName|message|severity|severityBefore|user|conditionName|conditionClass|activeState|acknowledged|suppressed|enabled|active|retain|name|value|device|state|unit|runningState|run)$/,
  sparkplug: /^(type|group|node|device|metric|metrics|value|historical|online|instrument|time|id)$/,
  mail: /^(to|mailbox|from|subject|text|fields|headers|time|id|repeated)$/,
}

/**
 * Returns a sentence for each rule that names what no message of its source has, and for topics that overlap. They
 * refuse no file: a rule that has worked without its field must not stop a gateway.
 */
export function ruleWarnings(source: SourceConfig): string[] {
  const isOpen = source.kind === 'http' && source.routes.some(({ format }) => format !== 'json')
  const points = source.kind === 'modbus' ? source.points.map(({ name }) => name) : null
  const unclear = source.kind === 'mqtt' && source.version === 5 ? overlaps(source) : []
  const ofRules = source.rules.flatMap((rule, index) => {
    // A rule that does not say its instrument takes it from the field of this name.
    const unknown = fieldsOf(rule.ignore ? rule : { instrument: '{instrument}', ...rule }).filter((field) => {
      const [root = ''] = field.replace(/^\//, '').split(/[./]/)
      return !isOpen && !known[source.kind].test(root)
    })
    const { name } = rule.when
    const isNoPoint = points && name !== undefined && !points.some((point) => matches(point, name))
    return [
      ...[...new Set(unknown)].map((field) => `Rule ${index + 1}: messages of ${source.kind} have no '${field}'.`),
      ...(isNoPoint ? [`Rule ${index + 1}: no point has the name ${[name].flat().join(', ')}.`] : []),
    ]
  })
  return [...unclear, ...ofRules]
}

function overlaps({ topics }: MqttConfig): string[] {
  const filters = distinct(topics)
  return filters.flatMap((filter, index) =>
    filters
      .slice(index + 1)
      .filter((other) => meet(filter.split('/'), other.split('/')))
      .map((other) => `The topics ${filter} and ${other} overlap, so the broker sends messages of both twice.`),
  )
}

/** Returns true if a topic can belong to both filters. */
function meet([a, ...restOfA]: string[], [b, ...restOfB]: string[]): boolean {
  if (a === '#' || b === '#') return true
  if (a === undefined || b === undefined) return a === b
  return (a === b || a === '+' || b === '+') && meet(restOfA, restOfB)
}
