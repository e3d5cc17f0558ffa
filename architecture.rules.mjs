import { serverArrows } from './architecture.arrows.mjs'
import { webArrows } from './architecture.web-arrows.mjs'

/**
 * THE allowed arrows. What is not listed here is forbidden; `node scripts/check-architecture.ts` enforces it, and every
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
      imports: { contract: { files: /./, why: 'samples are valid contract objects' } },
    },
    server: {
      root: 'packages/server/',
      imports: {
        contract: { files: /./, why: 'the contract is shared ground' },
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
          // Development and tests hold every answer against its schema; the build drops that branch with its import.
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
        contract: { files: /./, why: 'the contract is shared ground' },
        samples: { files: /./, why: 'the simulator source draws its instruments from the samples' },
      },
    },
    e2e: {
      root: 'e2e/',
      imports: {
        contract: { files: /./, why: 'journeys speak the wire' },
        client: { files: /./, why: 'journeys prepare and check through the API' },
        samples: { files: /./, why: 'journeys send what the samples make' },
      },
    },
    lab: {
      root: 'lab/',
      imports: {
        contract: { files: /./, why: 'measures and faults speak the wire' },
        client: { files: /./, why: 'registers what is measured and broken' },
        samples: { files: /./, why: 'measures and faults send what the samples make' },
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
          why: 'the search index is written with the very options that the help site reads it with',
        },
      },
    },
  },

  // ── Levels ───────────────────────────────────────────────────────────────────────────────────────────────────────
  // A level imports only what is listed behind it. `type x` allows types of x alone. Tests may import every level of
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
        // Demo data go in through the same functions as real data.
        seed: ['features', 'db', 'platform', 'type config'],
        // Searches and old log lines outside PostgreSQL, behind the doors that the features declare.
        clickhouse: ['features', 'db', 'platform', 'type config'],
        // Searches in memory, behind the door that the feature events declares.
        'event-index': ['features', 'db', 'platform', 'type config'],
        features: ['db', 'platform', 'type config'],
        db: ['platform', 'type config'],
        // Knows no word of the domain.
        platform: ['type config'],
        config: [],
        // What tests start the product with; only tests import it.
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
        // A page of its own beside the console: the built-in dashboard, which stands in a frame.
        'kpi-embed': ['features', 'ui', 'lib'],
        routes: ['features', 'ui', 'lib'],
        features: ['ui', 'lib'],
        // The design system: no word of the domain.
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
      why: 'zod costs 86 kB at the first route; the server has already checked what it answers',
    },
    {
      name: 'recharts',
      within: /^packages\/web\/src\/(?!ui\/charts\/)/,
      why: 'ui/charts/chart.tsx is the one place that knows the chart library, so that another can replace it',
    },
    { name: 'react', within: /^packages\/(contract|client|samples|server|gateway)\//, why: 'only the web app draws' },
  ],

  // ── Files ────────────────────────────────────────────────────────────────────────────────────────────────────────
  // `npm run architecture` lists small files with one user; these stay apart for a reason.
  smallFiles: {
    'packages/server/src/db/schema/webhooks.ts': 'the tables of each area are a file',
    'packages/server/src/features/account/sessions.queries.ts': 'SQL stays out of routes',
    'packages/server/src/features/administration/feature-flags.service.ts': 'rules stay out of routes',
    'packages/server/src/features/cases/desks/servicenow-desk.ts': 'each implementation of a door is a file',
    'packages/server/src/features/ingest/feed-counts.store.ts': 'SQL stays out of services',
    'packages/server/src/features/logs/log-retention.store.ts': 'SQL stays out of jobs',
    'packages/web/countries/unwrap.ts': 'its test must not start the command that uses it',
    'packages/web/mend-fontkit.ts': 'a build plugin with its own test',
    'packages/web/src/features/account/qr-code.tsx': 'lazy import',
    'packages/web/src/features/instruments/details/instrument-details-sheet.tsx': 'lazy import',
    'lab/clickhouse/engine.ts': 'the engine that every test in the folder shares',
    'scripts/test-report.ts': 'its test must not start the command that uses it',
    'e2e/outbox.ts': 'the outbox as journeys read it, one of the parts that fixtures.ts puts together',
  },
  bannedNames: ['utils', 'util', 'helpers', 'helper', 'common', 'misc', 'manager', 'types'],
  // Tools read configuration files and plugins by their default export.
  defaultExportFiles: [/\.config\.ts$/, /^scripts\/comment-rules\.ts$/],

  environmentReaders: [
    { files: /^packages\/server\/src\/config\.ts$/, why: 'the configuration of the server' },
    { files: /^packages\/server\/src\/(main|cli\/[^/]+)\.ts$/, why: 'hands the environment to the configuration' },
    { files: /^packages\/server\/src\/testing\//, why: 'keeps what a test started apart from the machine' },
    { files: /^packages\/gateway\/src\/(config|main|cli\/[^/]+)\.ts$/, why: 'the configuration of the gateway' },
    { files: /^packages\/client\/src\/cli\/benchwatch\.ts$/, why: 'address and token of the command line' },
    { files: /^scripts\//, why: 'commands of the repository, which run before any configuration' },
    { files: /^(e2e|lab)\//, why: 'drive the product from outside' },
    { files: /\.config\.ts$/, why: 'configuration of tools' },
  ],

  // ── Database ─────────────────────────────────────────────────────────────────────────────────────────────────────
  database: {
    packages: ['kysely', 'pg', 'pg-copy-streams', 'graphile-worker'],
    schema: 'packages/server/src/db/schema/',
    files: [
      { files: /^packages\/server\/src\/db\//, why: 'the layer of the database' },
      { files: /\.(queries|store|lookup)\.ts$/, why: 'reads for screens, writes, questions of other features' },
      {
        files: /\/(condition|postgres-search)\.ts$/,
        why: 'the one predicate builder, and who searches with it',
      },
      { files: /^packages\/server\/src\/clickhouse\//, why: 'copies from PostgreSQL, and compiles questions' },
      {
        files: /^packages\/server\/src\/(seed|testing)\//,
        why: 'fill the database by COPY; make and drop test databases',
      },
      {
        files: /^lab\//,
        why: 'looks into the database of the product that it drives, and measures what SQL alone would take',
      },
    ],
  },

  // Tables that belong to a customer appear in a FROM only in db/scoped.ts, so no query can forget on whose behalf it
  // reads. A join to rows that were selected in scope is named as `join`, which does not allow a FROM.
  scopedTables: {
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
        files: /^packages\/server\/src\/features\/ingest\/(alarms\/alarms|inbox|runs|statuses)\.store\.ts$/,
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
        files: /^packages\/server\/src\/features\/events\/(search\/postgres-search|events\.queries|events\.store)\.ts$/,
        tables: ['instrument'],
        form: 'join',
        why: 'what the instrument of an event in scope is called and does now',
      },
      {
        files: /^packages\/server\/src\/features\/support-emails\/support-email\.store\.ts$/,
        tables: ['service_event'],
        form: 'from',
        why: 'notes on the event that it has locked what the product mailed by itself',
      },
      {
        files: /^packages\/server\/src\/features\/administration\/gateways\.queries\.ts$/,
        tables: ['instrument'],
        form: 'join',
        why: 'the type and the gateway of the instrument that an event in scope is about',
      },
      {
        files: /^packages\/server\/src\/features\/support-emails\/support-email-subjects\.queries\.ts$/,
        tables: ['instrument'],
        form: 'join',
        why: 'the instrument that an event in scope is about, and its contact',
      },
      {
        files: /^packages\/server\/src\/features\/profiles\/event-facts\.queries\.ts$/,
        tables: ['instrument'],
        form: 'join',
        why: 'what profiles ask about the instrument of an event in scope',
      },
      {
        files: /^packages\/server\/src\/features\/kpi\/(counted-events|top-errors)\.queries\.ts$/,
        tables: ['instrument'],
        form: 'join',
        why: 'what the instruments of counted events in scope are, and are called',
      },
      {
        files: /^packages\/server\/src\/features\/notifications\/notifications\.queries\.ts$/,
        tables: ['instrument'],
        form: 'join',
        why: 'what the instrument of an event in scope is called that somebody was told of',
      },
      {
        files: /^packages\/server\/src\/features\/unsubscribe\/unsubscribe\.queries\.ts$/,
        tables: ['instrument'],
        form: 'join',
        why: 'the instrument that a link in a mail is about; whoever holds the link may see it',
      },
      {
        files: /^packages\/server\/src\/features\/connections\/connections\.store\.ts$/,
        tables: ['instrument'],
        form: 'from',
        why: 'how instruments of every customer are connected, by their gateways; no person asks',
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
        why: 'takes out what it has locked within the scope, and what is left of an instrument that was',
      },
      {
        files: /^packages\/server\/src\/features\/backoffice\/held-back\.store\.ts$/,
        tables: ['instrument'],
        form: 'join',
        why: 'what the instrument of a held-back event of a customer in scope is called',
      },
      {
        files: /^packages\/server\/src\/features\/logs\/log-retention\.store\.ts$/,
        tables: ['log_entry'],
        form: 'from',
        why: 'forgets the old lines of every customer',
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
      cases: { absentFrom: ['web'], why: 'a case is asked for where an event is closed' },
      deletions: { absentFrom: ['web'], why: 'other systems and the back office ask for it; no screen is its own' },
      ingest: { absentFrom: ['web'], why: 'gateways call it, no screen does' },
      system: { absentFrom: ['web'], why: 'health and readiness, for those who run the product' },
      report: { absentFrom: ['contract', 'server'], why: 'is composed in the browser of what others answer' },
      live: { absentFrom: ['web'], why: 'app/live holds the connection; each feature has its own live.ts' },
      account: { absentFrom: ['web'], why: 'settings come with their screen' },
      scim: { absentFrom: ['contract', 'web'], why: 'identity providers call it, in the form of its RFCs' },
      audit: { absentFrom: ['contract', 'web'], why: 'is read by a command; an event shows its part as its history' },
    },
  },
}
