import { matches } from '../mapping/conditions.ts'
import { fieldsOf } from '../mapping/templates.ts'
import type { SourceConfig } from './kinds.ts'

/** The fields of every message of a kind. Those of HTTP and Sparkplug depend on the sender, or are many. */
const known: Partial<Record<SourceConfig['kind'], RegExp>> = {
  mqtt: /^(topic\d*|retain|text|json|id|repeated)$/,
  snmp: /^(trap|address|user|inform|values|id|repeated)$/,
  modbus: /^(name|value|instrument)$/,
  files: /^(file|row|json|id|repeated)$/,
  mail: /^(to|mailbox|from|subject|text|fields|headers|time|id|repeated)$/,
}

/**
 * Returns a sentence for each rule that names what no message of its source has. They refuse no file: a rule that has
 * worked without its field must not stop a gateway.
 */
export function ruleWarnings(source: SourceConfig): string[] {
  const fields = known[source.kind]
  const points = source.kind === 'modbus' ? source.points.map(({ name }) => name) : null
  return source.rules.flatMap((rule, index) => {
    // A rule that does not say its instrument takes it from the field of this name.
    const unknown = fieldsOf(rule.ignore ? rule : { instrument: '{instrument}', ...rule }).filter((field) => {
      const [root = ''] = field.replace(/^\//, '').split(/[./]/)
      return fields && !fields.test(root)
    })
    const { name } = rule.when
    const isNoPoint = points && name !== undefined && !points.some((point) => matches(point, name))
    return [
      ...[...new Set(unknown)].map((field) => `Rule ${index + 1}: messages of ${source.kind} have no '${field}'.`),
      ...(isNoPoint ? [`Rule ${index + 1}: no point has the name ${[name].flat().join(', ')}.`] : []),
    ]
  })
}
