/**
 * Tables that belong to a customer appear in a FROM only in db/scoped.ts, so no query can forget on whose behalf it
 * reads. A join to rows that were selected in scope is named as `join`, which does not allow a FROM.
 *
 * @type {import('./scripts/architecture/rules.ts').ArchitectureRules['scopedTables']}
 */
export const scopedTables = {
  tables: ['service_event', 'instrument', 'log_entry'],
  within: 'packages/server/src/',
  allowed: [
    {
      files: /^packages\/server\/src\/db\/scoped\.ts$/,
      tables: ['service_event', 'instrument', 'log_entry'],
      form: 'from',
      why: 'where the scope is put on',
    },
    {
      files: /^packages\/server\/src\/seed\//,
      tables: ['service_event', 'instrument', 'log_entry'],
      form: 'from',
      why: 'writes the demo data of every customer by COPY',
    },
    {
      files: /^packages\/server\/src\/testing\//,
      tables: ['service_event', 'instrument', 'log_entry'],
      form: 'from',
      why: 'sets up and looks into the databases of tests',
    },
    {
      files: /^packages\/server\/src\/features\/ingest\/(alarms|inbox|statuses)\.store\.ts$/,
      tables: ['service_event', 'instrument'],
      form: 'from',
      why: 'a machine reports and no person asks; the key of its gateway says which instruments it may speak for',
    },
    {
      files:
        /^packages\/server\/src\/features\/registry\/(customer-change\.store|full-support\.store|gateways\.store|instruments\.store|registry-locks\.store|registry\.queries)\.ts$/,
      tables: ['service_event', 'instrument'],
      form: 'from',
      why: 'the registry is kept by administrators and other systems for all customers',
    },
    {
      files:
        /^packages\/server\/src\/features\/service-events\/(event-page\.queries|service-events\.queries|service-events\.store)\.ts$/,
      tables: ['instrument'],
      form: 'join',
      why: 'what the instrument of an event in scope is called and does now',
    },
    {
      files: /^packages\/server\/src\/features\/logs\/log-retention\.store\.ts$/,
      tables: ['log_entry'],
      form: 'from',
      why: 'forgets the old lines of every customer',
    },
    {
      files: /^packages\/server\/src\/features\/service-events\/service-events\.store\.ts$/,
      tables: ['service_event'],
      form: 'from',
      why: 'writes the event that it has locked within the scope, and new events of ingest',
    },
    {
      files: /^packages\/server\/src\/features\/connections\/connections\.store\.ts$/,
      tables: ['instrument'],
      form: 'from',
      why: 'how instruments of every customer are connected, by their gateways; no person asks',
    },
  ],
}
