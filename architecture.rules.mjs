import { serverArrows } from './architecture.arrows.mjs'
import { webArrows } from './architecture.web-arrows.mjs'

/**
 * The allowed imports. All others are forbidden; `node scripts/check-architecture.ts` enforces it, and every
 * exception says why it is one. Read it as the map of the code: ARCHITECTURE.md is the same in words and pictures.
 *
 * @type {import('./scripts/architecture/rules.ts').ArchitectureRules}
 */
export const rules = {
  // ── Rooms ────────────────────────────────────────────────────────────────────────────────────────────────────────
  // contract ← client, samples, server, web, gateway. Server and web never import each other; e2e and lab drive the running
  // product from outside.
  workspaces: {
    contract: { root: 'packages/contract/', imports: {} },
    client: {
      root: 'packages/client/',
      imports: {
        contract: {
          files: /./,
          atRunTime: /^packages\/contract\/src\/(paths|patterns|vocabulary)\.ts$/,
          why: 'the client runs in browsers, which load no schema library (use `import type`)',
        },
      },
    },
    samples: {
      root: 'packages/samples/',
      imports: { contract: { files: /./, why: 'samples are valid objects of the contract' } },
    },
    server: {
      root: 'packages/server/',
      imports: {
        contract: { files: /./, why: 'every room uses the contract' },
        samples: {
          files: /^packages\/server\/src\/(seed|testing)\//,
          why: 'only the seed and tests use samples; the running product has real data',
        },
        client: { files: /^packages\/server\/src\/testing\//, why: 'tests call the server as its users do' },
      },
    },
    web: {
      root: 'packages/web/',
      imports: {
        contract: {
          files: /./,
          atRunTime:
            /^packages\/contract\/src\/(administration\/backoffice-forms|field-rules|messages\/(placeholders|template-ids)|page-settings|paths|patterns|source-file|vocabulary)\.ts$/,
          // Development and tests validate every answer against its schema; the build drops that branch with its import.
          atRunTimeAnywhere: /^packages\/web\/src\/lib\/http\.ts$/,
          why: 'the browser loads only the plain data and pure rules of the contract; everything else would bring zod to the first route (use `import type`)',
        },
        client: { files: /./, why: 'the console calls the server as every other client does' },
        samples: { files: /^$/, why: 'only tests use samples' },
      },
    },
    gateway: {
      root: 'packages/gateway/',
      imports: {
        contract: { files: /./, why: 'every room uses the contract' },
        samples: { files: /./, why: 'the simulator source takes its instruments from the samples' },
      },
    },
    e2e: {
      root: 'e2e/',
      imports: {
        contract: { files: /./, why: 'journeys send and check messages of the wire' },
        client: { files: /./, why: 'journeys prepare and check through the API' },
        samples: { files: /./, why: 'journeys send objects of the samples' },
      },
    },
    lab: {
      root: 'lab/',
      imports: {
        contract: { files: /./, why: 'measurements and fault scripts send messages of the wire' },
        client: { files: /./, why: 'registers the objects to measure and to break' },
        samples: { files: /./, why: 'measurements and fault scripts send objects of the samples' },
        server: {
          files: /^lab\/(clickhouse\/|faults\/(database\/large-migration|server\/export-in-s3)\.ts$)/,
          why: 'tests of the server that need an engine of 500 MB, its migrations on large tables, and its emulator of S3',
        },
        scripts: {
          files:
            /^lab\/(cluster\/.*|laboratory\/.*|product\/product|faults\/(mqtt\/.*|product\/postgres-cluster))\.ts$/,
          why: 'the lab starts installed programs and the simulator as tests and npm start do',
        },
      },
    },
    scripts: {
      root: 'scripts/',
      imports: {
        web: {
          files: /^scripts\/build-help\.ts$/,
          why: 'the search index is written with the same options with which the help site reads it',
        },
      },
    },
  },

  // ── Levels ───────────────────────────────────────────────────────────────────────────────────────────────────────
  // A level imports only those listed for it. `type x` allows types of x alone. Tests may import every level of
  // their own workspace, and nothing imports tests.
  levels: {
    server: {
      root: 'packages/server/src/',
      below: {
        main: ['app', 'seed', 'db', 'platform', 'config'],
        // The composition root: the only file that knows every feature.
        app: ['clickhouse', 'event-index', 'features', 'db', 'platform', 'type config'],
        // Commands beside the running server. They use the services of the features, never their tables.
        cli: ['clickhouse', 'features', 'db', 'platform', 'config'],
        // Demo data is written through the same functions as real data.
        seed: ['features', 'db', 'platform', 'type config'],
        // Searches and old log lines outside PostgreSQL, behind interfaces that the features declare.
        clickhouse: ['features', 'db', 'platform', 'type config'],
        // Searches in memory, behind the interface that the feature events declares.
        'event-index': ['features', 'db', 'platform', 'type config'],
        features: ['db', 'platform', 'type config'],
        db: ['platform', 'type config'],
        // Knows nothing about the domain.
        platform: ['type config'],
        config: [],
        // Starts the product for tests; only tests import it.
        testing: ['main', 'app', 'cli', 'seed', 'clickhouse', 'event-index', 'features', 'db', 'platform', 'config'],
      },
      features: {
        level: 'features',
        pattern: /^packages\/server\/src\/features\/([^/]+)\//,
        entryPoint: /\.lookup\.ts$/,
        entryPointName: '*.lookup.ts',
        arrows: serverArrows,
      },
    },
    web: {
      root: 'packages/web/src/',
      below: {
        main: ['app', 'routes', 'features', 'ui', 'lib'],
        app: ['routes', 'features', 'ui', 'lib'],
        // A separate page, which the console shows in a frame: the built-in dashboard.
        'kpi-embed': ['features', 'ui', 'lib'],
        routes: ['features', 'ui', 'lib'],
        features: ['ui', 'lib'],
        // The design system. It knows nothing about the domain.
        ui: ['lib'],
        lib: [],
        testing: ['main', 'app', 'routes', 'features', 'ui', 'lib'],
      },
      features: {
        level: 'features',
        pattern: /^packages\/web\/src\/features\/([^/]+)\//,
        entryPoint: /\.api\.ts$/,
        entryPointName: '*.api.ts',
        arrows: webArrows,
      },
    },
  },

  packages: [
    {
      name: 'zod',
      within: /^packages\/(web|client)\//,
      why: 'zod costs 86 kB at the first route; the server has already validated its answers',
    },
    {
      name: 'recharts',
      within: /^packages\/web\/src\/(?!ui\/charts\/)/,
      why: 'ui/charts/chart.tsx is the only file that uses the chart library, so that it can be replaced',
    },
    { name: 'react', within: /^packages\/(contract|client|samples|server|gateway)\//, why: 'only the web app draws' },
  ],

  // ── Files ────────────────────────────────────────────────────────────────────────────────────────────────────────
  // `npm run architecture` lists small files with one user; these stay apart for a reason.
  smallFiles: {
    'packages/server/src/db/embedded/embedded-settings.ts': 'the settings of the cluster, apart from its processes',
    'packages/server/src/db/schema/webhooks.ts': 'the tables of each area are a file',
    'packages/server/src/features/account/sessions.queries.ts': 'SQL stays out of routes',
    'packages/server/src/features/cases/desks/servicenow-desk.ts': 'each implementation of a door is a file',
    'packages/server/src/features/ingest/feed-counts.store.ts': 'SQL stays out of services',
    'packages/server/src/features/logs/log-retention.store.ts': 'SQL stays out of jobs',
    'packages/web/countries/unwrap.ts': 'its test must not start the command that uses it',
    'packages/web/mend-fontkit.ts': 'a build plugin with its own test',
    'packages/web/src/features/account/qr-code.tsx': 'lazy import',
    'packages/web/src/features/calendars/calendars.api.ts': 'the calls of each feature are a file',
    'packages/web/src/ui/time/day-calendar.tsx': 'lazy import',
    'lab/clickhouse/engine.ts': 'the engine that every test in the folder shares',
    'scripts/test-report.ts': 'its test must not start the command that uses it',
    'e2e/outbox.ts': 'the outbox as journeys read it, one of the parts that fixtures.ts puts together',
  },
  bannedNames: ['utils', 'util', 'helpers', 'helper', 'common', 'misc', 'manager', 'types'],
  // Tools read configuration files and plugins by their default export.
  defaultExportFiles: [/\.config\.ts$/, /^scripts\/comment-rules\.ts$/],

  environmentReaders: [
    { files: /^packages\/server\/src\/config\.ts$/, why: 'the configuration of the server' },
    { files: /^packages\/server\/src\/(main|cli\/[^/]+)\.ts$/, why: 'passes the environment to the configuration' },
    {
      files: /^packages\/server\/src\/testing\//,
      why: 'isolates programs started by tests from the environment of the machine',
    },
    { files: /^packages\/gateway\/src\/(config|main|cli\/[^/]+)\.ts$/, why: 'the configuration of the gateway' },
    { files: /^packages\/client\/src\/cli\/benchwatch\.ts$/, why: 'address and token of the command line' },
    { files: /^scripts\//, why: 'commands of the repository run before there is any configuration' },
    { files: /^(e2e|lab)\//, why: 'drive the product from outside' },
    { files: /\.config\.ts$/, why: 'configuration of tools' },
  ],

  // ── Database ─────────────────────────────────────────────────────────────────────────────────────────────────────
  database: {
    packages: ['kysely', 'pg', 'pg-copy-streams', 'graphile-worker'],
    schema: 'packages/server/src/db/schema/',
    files: [
      { files: /^packages\/server\/src\/db\//, why: 'the layer of the database' },
      { files: /\.(queries|store|lookup)\.ts$/, why: 'reads for screens, writes, and answers other features' },
      {
        files: /\/(condition|postgres-search)\.ts$/,
        why: 'builds the one predicate of searches, and uses it',
      },
      { files: /^packages\/server\/src\/clickhouse\//, why: 'copies from PostgreSQL, and compiles searches' },
      {
        files: /^packages\/server\/src\/(seed|testing)\//,
        why: 'fill the database by COPY; create and drop test databases',
      },
      {
        files: /^lab\//,
        why: 'reads the database of the product under test, and measures SQL without the product',
      },
    ],
  },

  // Tables that belong to a customer appear in a FROM only in db/scoped.ts, so no query can forget the caller's data
  // scope. A join to rows that were selected in scope is named as `join`, which does not allow a FROM.
  scopedTables: {
    tables: ['service_event', 'instrument', 'log_entry'],
    within: 'packages/server/src/',
    allowed: [
      {
        files: /^packages\/server\/src\/db\/scoped\.ts$/,
        tables: ['service_event', 'instrument', 'log_entry'],
        form: 'from',
        why: 'adds the condition on the data scope',
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
        why: 'sets up test databases and checks their content',
      },
      {
        files: /^packages\/server\/src\/features\/ingest\/(alarms\/alarms|inbox|runs|statuses)\.store\.ts$/,
        tables: ['service_event', 'instrument'],
        form: 'from',
        why: 'acts for a gateway, not a user; the gateway key decides for which instruments',
      },
      {
        files:
          /^packages\/server\/src\/features\/registry\/(customer-change\.store|full-support\.store|gateways\.store|instruments\.store|registry-locks\.store|registry\.queries)\.ts$/,
        tables: ['service_event', 'instrument'],
        form: 'from',
        why: 'administrators and other systems maintain the registry for all customers',
      },
      {
        files: /^packages\/server\/src\/features\/events\/(search\/postgres-search|events\.queries|events\.store)\.ts$/,
        tables: ['instrument'],
        form: 'join',
        why: 'reads the name and current status of the instrument of an event in scope',
      },
      {
        files: /^packages\/server\/src\/features\/support-emails\/support-email\.store\.ts$/,
        tables: ['service_event'],
        form: 'from',
        why: 'records the automatic e-mail on the event, which it has locked',
      },
      {
        files: /^packages\/server\/src\/features\/administration\/gateways\.queries\.ts$/,
        tables: ['instrument'],
        form: 'join',
        why: 'reads the type and the gateway of the instrument of an event in scope',
      },
      {
        files: /^packages\/server\/src\/features\/support-emails\/support-email-subjects\.queries\.ts$/,
        tables: ['instrument'],
        form: 'join',
        why: 'reads the instrument of an event in scope, and its contact',
      },
      {
        files: /^packages\/server\/src\/features\/profiles\/event-facts\.queries\.ts$/,
        tables: ['instrument'],
        form: 'join',
        why: 'reads what profiles filter by, for the instrument of an event in scope',
      },
      {
        files: /^packages\/server\/src\/features\/kpi\/counted-events\.queries\.ts$/,
        tables: ['instrument'],
        form: 'join',
        why: 'reads type and name of the instruments of counted events in scope',
      },
      {
        files: /^packages\/server\/src\/features\/notifications\/(notifications\.queries|waiting\.store)\.ts$/,
        tables: ['instrument'],
        form: 'join',
        why: 'reads name and customer of the instrument of an event in scope that caused a notification',
      },
      {
        files: /^packages\/server\/src\/features\/unsubscribe\/unsubscribe\.queries\.ts$/,
        tables: ['instrument'],
        form: 'join',
        why: 'reads the instrument that the link in an e-mail refers to; anyone with the link may see it',
      },
      {
        files: /^packages\/server\/src\/features\/connections\/connections\.store\.ts$/,
        tables: ['instrument'],
        form: 'from',
        why: 'updates the connection of every instrument; no user is involved',
      },
      {
        files: /^packages\/server\/src\/features\/backoffice\/instrument-state\.store\.ts$/,
        tables: ['instrument'],
        form: 'from',
        why: 'writes the statuses of the instrument that it has locked within the scope',
      },
      {
        files: /^packages\/server\/src\/features\/deletions\/deletions\.store\.ts$/,
        tables: ['service_event', 'instrument', 'log_entry'],
        form: 'from',
        why: 'deletes what it has locked within the scope, and what remains of a deleted instrument',
      },
      {
        files: /^packages\/server\/src\/features\/backoffice\/held-back\.store\.ts$/,
        tables: ['instrument'],
        form: 'join',
        why: 'reads the name of the instrument of a held-back event in scope',
      },
      {
        files: /^packages\/server\/src\/features\/logs\/log-retention\.store\.ts$/,
        tables: ['log_entry'],
        form: 'from',
        why: 'deletes old lines of every customer',
      },
      {
        files: /^packages\/server\/src\/features\/events\/events\.store\.ts$/,
        tables: ['service_event'],
        form: 'from',
        why: 'writes the event that it has locked within the scope, and new events of ingest',
      },
    ],
  },

  // ── Names ────────────────────────────────────────────────────────────────────────────────────────────────────────
  featureNames: {
    rooms: {
      contract:
        /^packages\/contract\/src\/(?:[a-z]+\/)?(?!(?:backoffice-forms|environment|errors|event-details|field-rules|instrument-timeline|page-settings|paths|patterns|placeholders|primitives|route|routes|source-file|template-ids|vocabulary)\.ts$)([a-z0-9-]+)\.ts$/,
      server: /^packages\/server\/src\/features\/([^/]+)\//,
      web: /^packages\/web\/src\/features\/([^/]+)\//,
    },
    exceptions: {
      cases: { absentFrom: ['web'], why: 'a case is requested while closing an event' },
      deletions: { absentFrom: ['web'], why: 'other systems and the back office call it; it has no screen of its own' },
      ingest: { absentFrom: ['web'], why: 'gateways call it; no screen does' },
      system: { absentFrom: ['web'], why: 'health and readiness are for operators, not for a screen' },
      report: { absentFrom: ['contract', 'server'], why: 'the browser composes it from answers of other features' },
      live: { absentFrom: ['web'], why: 'app/live holds the connection; each feature has its own live.ts' },
      account: { absentFrom: ['web'], why: 'the screen of the settings contains it' },
      scim: { absentFrom: ['contract', 'web'], why: 'identity providers call it, in the format of its RFCs' },
      audit: { absentFrom: ['contract', 'web'], why: 'a command reads it; the history of an event shows part of it' },
    },
  },
}
