import { INSTALLED_PRODUCT_ID, SOURCE_NAME } from './patterns.ts'

/**
 * Writes the first file of sources of a gateway, and rules for messages that none matched. The texts are YAML with
 * comments, which a library would lose; `npm run gateway:check` accepts each of them.
 */

export const sourceProtocols = [
  'opcua',
  'lads',
  'mqtt',
  'sparkplug',
  'http',
  'snmp',
  'modbus',
  'mail',
  'files',
] as const
export type SourceProtocol = (typeof sourceProtocols)[number]

/** The answers from which a file is written. */
export interface SourceSketch {
  protocol: SourceProtocol
  /** Names the source on the gateway. */
  name: string
  /** Installed product id. */
  instrument: string
  /** First part of the template ids of its alarms, such as `FRZ`. */
  module: string
  /** Address of the instrument, or one at which the gateway listens. */
  address: string
  /** One more value, which depends on the protocol: topics, a serial number, a path. */
  detail: string
}

interface Asked {
  label: string
  hint: string
  example: string
  pattern: RegExp
  /** Says what is wrong with other texts. */
  problem: string
}

interface Protocol {
  label: string
  address: Asked
  detail?: Asked & { isOptional?: boolean }
  write: (sketch: SourceSketch) => string
}

const MODULE = /^[A-Za-z0-9]{1,20}$/
const LISTEN = /^(?:\[[0-9a-fA-F:]{2,39}\]|[A-Za-z0-9][A-Za-z0-9.-]{0,99}):\d{1,5}$/
const BROKER = /^(?:mqtts?|wss?):\/\/[A-Za-z0-9][A-Za-z0-9.-]{0,99}(?::\d{1,4})?$/
/** One line without control characters, double quotes and backslashes, which YAML would have to escape. */
const PLAIN_LINE = /^[^\s\p{Cc}\p{Cs}"'\\][^\p{Cc}\p{Cs}"\\]{0,199}$/u

const opcAddress: Asked = {
  label: 'Address of the server',
  hint: 'Such as opc.tcp://10.1.2.3:4840.',
  example: 'opc.tcp://10.1.2.3:4840',
  pattern: /^opc\.tcp:\/\/[A-Za-z0-9[][^\s/"'\\\p{Cc}\p{Cs}]{0,99}(?:\/[^\s"'\\\p{Cc}\p{Cs}]{0,99})?$/u,
  problem: 'Enter an address such as opc.tcp://10.1.2.3:4840.',
}
const brokerAddress: Asked = {
  label: 'Address of the broker',
  hint: 'Such as mqtt://10.1.2.3:1883, or mqtts:// with encryption.',
  example: 'mqtt://10.1.2.3:1883',
  pattern: BROKER,
  problem: 'Enter an address such as mqtt://10.1.2.3:1883.',
}
const listenAt = (port: number): Asked => ({
  label: 'Listen at',
  hint: 'Address and port of the gateway’s computer. 0.0.0.0 is all of its addresses.',
  example: `0.0.0.0:${port}`,
  pattern: LISTEN,
  problem: `Enter an address and a port, such as 0.0.0.0:${port}.`,
})

/** The protocols in the order in which they are offered. */
export const protocols: Record<SourceProtocol, Protocol> = {
  opcua: {
    label: 'OPC UA',
    address: opcAddress,
    write: (sketch) => `${opcHead(sketch)}
    devices:
      # Everything that the server reports belongs to this instrument. With several devices, each needs its node.
      - instrument: ${sketch.instrument}
    tables:
${severityTable}
    rules:
${conditionRule(sketch)}
      # Events without a condition and changes of severity are known and raise nothing.
      - when: { kind: [event, change] }
        ignore: true`,
  },
  lads: {
    label: 'OPC UA LADS',
    address: opcAddress,
    detail: {
      label: 'Serial number',
      hint: 'As the device has it. Empty: the only device of the server.',
      example: 'FRZ-0815',
      pattern: PLAIN_LINE,
      problem: 'Enter a serial number without quotation marks.',
      isOptional: true,
    },
    write: (sketch) => `${opcHead(sketch)}
    devices:
      - instrument: ${sketch.instrument}
        lads: ${sketch.detail === '' ? '{}' : `{ serialNumber: ${quoted(sketch.detail)} }`}
    tables:
${severityTable}
      # States of the device, and what they mean for the instrument.
      statuses: { Running: method run, Stopped: ready, Aborted: alarms and errors, "*": Unknown }
    rules:
${conditionRule(sketch)}
      - when: { kind: state }
        status: "{state|statuses}"
      # Events without a condition, changes of severity and counters are known and raise nothing.
      - when: { kind: [event, change, counter] }
        ignore: true`,
  },
  mqtt: {
    label: 'MQTT',
    address: brokerAddress,
    detail: {
      label: 'Topic',
      hint: 'A + stands for one level, a # at the end for all further ones.',
      example: 'lab/skid/alarm',
      pattern: PLAIN_LINE,
      problem: 'Enter a topic such as lab/skid/alarm.',
    },
    write: ({ instrument, module, address, detail, name }) => `  - kind: mqtt
    name: ${quoted(name)}
    url: ${quoted(address)}
    # user: { name: benchwatch, passwordFile: /run/secrets/mqtt }
    topics: [${quoted(detail)}]
    rules:
      # For messages such as {"code": 1042, "part": "Pump B", "text": "Pressure 6.4 MPa", "on": true}.
      # Replace the fields after "json." by those of your messages. "on": false returns the alarm to normal.
${jsonRule({ instrument, module })}`,
  },
  sparkplug: {
    label: 'Sparkplug B',
    address: brokerAddress,
    detail: {
      label: 'Device',
      hint: 'Its name at the edge node.',
      example: 'skid',
      pattern: PLAIN_LINE,
      problem: 'Enter the name of the device.',
    },
    write: ({ instrument, module, address, detail, name }) => `  - kind: sparkplug
    name: ${quoted(name)}
    url: ${quoted(address)}
    # user: { name: benchwatch, passwordFile: /run/secrets/mqtt }
    tables:
      # The instrument of each device. Births and deaths show whether it is connected.
      devices: { ${quoted(literal(detail))}: ${instrument} }
    instrument: "{device|devices}"
    rules:
      # Metrics below "Alarm" that are true or false, such as "Alarm/Pump". gateway:try shows their template ids.
      - when: { metric: "Alarm/*", value: [true, false] }
        raise:
          template: "${module}-{metric}"
          component: "{metric}"
          key: "{metric}"
          severity: medium
          while: { value: true }`,
  },
  http: {
    label: 'HTTP',
    address: listenAt(8090),
    detail: {
      label: 'Path',
      hint: 'Other programs post JSON to it.',
      example: '/alarms',
      pattern: /^\/[A-Za-z0-9._~/-]{0,99}$/,
      problem: 'Enter a path such as /alarms.',
    },
    write: ({ instrument, module, address, detail, name }) => `  - kind: http
    name: ${quoted(name)}
    listen: ${quoted(address)}
    # Programs send "Authorization: Bearer" and the content of this file. Without it, everybody may post.
    # tokenFile: /run/secrets/http
    routes:
      # The formats alertmanager, grafana, elasticsearch and cloudevents have fields of their own.
      - { path: ${quoted(detail)}, format: json }
    rules:
      # For bodies such as {"code": 1042, "part": "Pump B", "text": "Pressure 6.4 MPa", "on": true}.
      # Replace the fields after "json." by those of your program. "on": false returns the alarm to normal.
${jsonRule({ instrument, module })}`,
  },
  snmp: {
    label: 'SNMP',
    address: listenAt(1162),
    detail: {
      label: 'Community',
      hint: 'For SNMP versions 1 and 2c. Everybody on the network can read it.',
      example: 'lab',
      pattern: PLAIN_LINE,
      problem: 'Enter the community that the device sends.',
    },
    write: ({ instrument, module, address, detail, name }) => `  - kind: snmp
    name: ${quoted(name)}
    # Devices send to port 162, which only privileged programs may take.
    listen: ${quoted(address)}
    communities: [${quoted(detail)}]
    # Version 3 encrypts:
    # users: [{ name: benchwatch, auth: sha256, passwordFile: /run/secrets/snmp }]
    # Names for object ids make rules readable:
    # names: { onBattery: 1.3.6.1.4.1.318.0.5 }
    rules:
      # Each kind of trap is an alarm of its own. A trap that no other trap ends returns to normal after an hour.
      - when: { trap: "*" }
        instrument: ${instrument}
        raise:
          template: "${module}-{trap}"
          component: Instrument
          severity: medium
          description: "Trap {trap} of {address}"
          autoClear: 1h`,
  },
  modbus: {
    label: 'Modbus TCP',
    address: {
      label: 'Address of the device',
      hint: 'Address and port, usually 502.',
      example: '10.1.2.3:502',
      pattern: LISTEN,
      problem: 'Enter an address and a port, such as 10.1.2.3:502.',
    },
    detail: {
      label: 'Coil',
      hint: 'Number of the coil that is on during the alarm, counted from 0.',
      example: '0',
      pattern: /^(?:\d{1,4}|[1-5]\d{4}|6[0-4]\d{3}|65[0-4]\d{2}|655[0-2]\d|6553[0-5])$/,
      problem: 'Enter a number from 0 to 65535.',
    },
    write: ({ instrument, module, address, detail, name }) => `  - kind: modbus
    name: ${quoted(name)}
    address: ${quoted(address)}
    points:
      # Further points: coil, discrete, holding and input, each with a name of its own.
      - { name: Alarm, table: coil, at: ${Number(detail)}, instrument: ${instrument} }
    rules:
      - when: { name: Alarm }
        raise:
          template: "${module}-{name}"
          component: "{name}"
          severity: medium
          while: { value: true }`,
  },
  mail: {
    label: 'Mail',
    address: listenAt(2525),
    detail: {
      label: 'Recipient',
      hint: 'The part before the @ of the address to which the instrument sends.',
      example: 'freezer',
      pattern: /^[A-Za-z0-9][A-Za-z0-9._+-]{0,63}$/,
      problem: 'Enter the part before the @, such as freezer.',
    },
    write: ({ instrument, module, address, detail, name }) => `  - kind: mail
    name: ${quoted(name)}
    # Set this address and port as the mail server of the instrument.
    listen: ${quoted(address)}
    rules:
      - when: { mailbox: ${quoted(detail)}, subject: "*alarm*" }
        instrument: ${instrument}
        raise:
          template: "${module}-alarm"
          component: Instrument
          key: alarm
          severity: medium
          description: "{subject}"
      # An e-mail with this subject returns the alarm to normal.
      - when: { mailbox: ${quoted(detail)}, subject: "*ok*" }
        instrument: ${instrument}
        clear: { key: alarm }`,
  },
  files: {
    label: 'Files',
    address: {
      label: 'Folder',
      hint: 'On the gateway’s computer. Its files are only read.',
      example: '/srv/exports',
      pattern: /^[^\s\p{Cc}\p{Cs}"][^\p{Cc}\p{Cs}"]{0,199}$/u,
      problem: 'Enter the path of a folder.',
    },
    detail: {
      label: 'Names of files',
      hint: 'A * stands for any characters.',
      example: '*.csv',
      pattern: /^[^\s\p{Cc}\p{Cs}"'\\/][^\p{Cc}\p{Cs}"\\/]{0,199}$/u,
      problem: 'Enter a pattern such as *.csv, without a folder.',
    },
    write: ({ instrument, module, address, detail, name }) => `  - kind: files
    name: ${quoted(name)}
    folder: ${quoted(address)}
    match: ${quoted(detail)}
    # The first line of each file names its columns. "format: jsonl" reads one JSON value a line.
    format: csv
    rules:
      # For the columns Time, Code, Part, State and Text. Replace the names by those of your files.
      - when: { row.Code: "*" }
        instrument: ${instrument}
        time: "{row.Time?}"
        raise:
          template: "${module}-{row.Code}"
          component: "{row.Part?}"
          severity: medium
          description: "{row.Text?}"
          while: { row.State: on }`,
  },
}

const severityTable = `      # Severities from 1 to 1000 in the words of events.
      severities: { ">= 700": high, ">= 300": medium, "*": low }`

function opcHead({ name, address }: SourceSketch): string {
  return `  - kind: opcua
    name: ${quoted(name)}
    endpoint: ${quoted(address)}
    # "npm run gateway:browse" says what the server offers. "security: none" sends everything in clear text.
    security: { mode: SignAndEncrypt, policy: Basic256Sha256 }
    # user: { name: benchwatch, passwordFile: /run/secrets/opcua }`
}

function conditionRule({ module }: SourceSketch): string {
  return `      # The name of a condition becomes a code: "Door open" has the template id ${module}-Door_open.
      - when: { kind: condition }
        raise:
          template: "${module}-{conditionName}"
          component: "{sourceName}"
          severity: "{severity|severities}"
          description: "{conditionName}: {message?}"`
}

function jsonRule({ instrument, module }: Pick<SourceSketch, 'instrument' | 'module'>): string {
  return `      - when: { json.code: "*" }
        instrument: ${instrument}
        raise:
          template: "${module}-{json.code}"
          component: "{json.part?}"
          severity: medium
          description: "{json.text?}"
          while: { json.on: true }`
}

/** Returns what prevents the file from being written, by field. */
export function sketchProblems(sketch: SourceSketch): Partial<Record<keyof SourceSketch, string>> {
  const { address, detail } = protocols[sketch.protocol]
  const isDetailWrong =
    detail !== undefined && !(detail.isOptional && sketch.detail === '') && !detail.pattern.test(sketch.detail)
  return {
    ...(!SOURCE_NAME.test(sketch.name) && { name: 'Enter up to 40 letters, digits, dots, hyphens or underscores.' }),
    ...(!INSTALLED_PRODUCT_ID.test(sketch.instrument) && { instrument: 'Choose the instrument.' }),
    ...(!MODULE.test(sketch.module) && { module: 'Enter up to 20 letters and digits.' }),
    ...(!address.pattern.test(sketch.address) && { address: address.problem }),
    ...(isDetailWrong && { detail: detail.problem }),
  }
}

/** Returns the file for a sketch without problems. */
export function sourceFileText(sketch: SourceSketch): string {
  return `# The sources of a gateway. Check the file: npm run gateway:check -- sources.yaml
# See what its rules make of live messages, without sending: npm run gateway:try -- sources.yaml
sources:
${protocols[sketch.protocol].write(sketch)}
`
}

/** Returns the module of a source's template ids: its name in upper case, without anything but letters and digits. */
export function moduleOf(source: string): string {
  return (
    source
      .replace(/[^A-Za-z0-9]/g, '')
      .toUpperCase()
      .slice(0, 20) || 'X'
  )
}

/** Protocols whose messages say which instrument they are about. */
const KNOW_INSTRUMENT = ['opcua', 'sparkplug', 'modbus']

/**
 * Returns a rule for the messages that have this name, to be added to the rules of their source. It raises an alarm
 * with this template id.
 */
export function ruleText({
  kind,
  field,
  name,
  templateId,
}: {
  kind: string
  field: string
  name: string
  templateId: string
}): string {
  // The name may have been cut.
  const wanted = literal(name.endsWith('…') ? `${name.slice(0, -1)}*` : name)
  const lines = [
    `- when: { ${quoted(field)}: ${quoted(wanted)} }`,
    ...(KNOW_INSTRUMENT.includes(kind) ? [] : ['  instrument: IP-00000000 # its installed product id']),
    '  raise:',
    `    template: ${quoted(templateId)}`,
    '    component: Instrument',
    ...(field === 'conditionName' ? [] : ['    autoClear: 1h # it returns to normal by itself']),
  ]
  return `${lines.join('\n')}\n`
}

/** Keeps a text at the beginning of a condition from being read as a comparison. */
function literal(text: string): string {
  return text.replace(/^[<>!=]/, '?')
}

/** JSON texts are YAML texts, except for characters that YAML wants escaped. */
function quoted(text: string): string {
  return JSON.stringify(text).replace(/[\u007f-\u009f\u2028\u2029\ufeff]/g, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
  })
}
