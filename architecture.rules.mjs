/**
 * THE allowed arrows. What is not listed here is forbidden; `node scripts/check-architecture.ts` enforces it, and every
 * exception says why it is one. Read it as the map of the code: ARCHITECTURE.md is the same in words.
 *
 * @type {import('./scripts/architecture/rules.ts').ArchitectureRules}
 */
export const rules = {
  // ── Rooms ────────────────────────────────────────────────────────────────────────────────────────────────────────
  // contract ← samples, server, web, gateway. Server and web never import each other; e2e and bench drive the running
  // product from outside.
  workspaces: {
    contract: { root: 'packages/contract/', imports: {} },
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
      },
    },
    web: {
      root: 'packages/web/',
      imports: {
        contract: {
          files: /./,
          atRunTime:
            /^packages\/contract\/src\/(paths|vocabulary|patterns|password-policy|case-url|page-settings)\.ts$/,
          // Development and tests hold every answer against its schema; the build drops that branch with its import.
          atRunTimeAnywhere: /^packages\/web\/src\/lib\/http\.ts$/,
          why: 'the browser loads only the plain data and pure rules of the contract; everything else would bring zod to the first route (use `import type`)',
        },
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
        samples: { files: /./, why: 'journeys send what the samples make' },
      },
    },
    bench: {
      root: 'bench/',
      imports: {
        contract: { files: /./, why: 'benchmarks speak the wire' },
        samples: { files: /./, why: 'benchmarks send what the samples make' },
      },
    },
    scripts: { root: 'scripts/', imports: {} },
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
        app: ['features', 'db', 'platform', 'type config'],
        // Commands beside the running server. They use the services of the features, never their tables.
        cli: ['features', 'db', 'platform', 'config'],
        // Demo data go in through the same functions as real data.
        seed: ['features', 'db', 'platform', 'type config'],
        features: ['db', 'platform', 'type config'],
        db: ['platform', 'type config'],
        // Knows no word of the domain.
        platform: ['type config'],
        config: [],
        // What tests start the product with; only tests import it.
        testing: ['main', 'app', 'cli', 'seed', 'features', 'db', 'platform', 'config'],
      },
      features: {
        level: 'features',
        pattern: /^packages\/server\/src\/features\/([^/]+)\//,
        door: /\.lookup\.ts$/,
        doorName: '*.lookup.ts',
        // This list is the picture of how the features hang together; it stays free of cycles.
        arrows: [
          { from: 'auth', to: 'users', why: 'whoever calls is a user with a data scope and flags' },
          { from: 'live', to: 'auth', why: 'a live token opens the connection, an ended session closes it' },
          { from: 'service-events', to: 'users', why: 'whom an event may be assigned to, and the name of its owner' },
          { from: 'views', to: 'users', why: 'the name of a colleague who shares a view' },
          { from: 'bulk-changes', to: 'users', why: 'who a person is by the time of each step' },
          { from: 'logs', to: 'instruments', why: 'whose log is read' },
          // Coordinators: they command other features and may therefore import more than a door.
          {
            from: 'bulk-changes',
            to: 'service-events',
            files: ['column-store.ts', 'event-list.queries.ts', 'selection.queries.ts', 'service-events.service.ts'],
            why: 'finds what the list finds, and changes each event by the rules of one',
          },
          {
            from: 'exports',
            to: 'service-events',
            files: [
              'alarm-row.ts',
              'event-page.queries.ts',
              'selection.queries.ts',
              'service-event-codes.ts',
              'service-events.queries.ts',
            ],
            why: 'a file holds what the list finds, in its order',
          },
          { from: 'exports', to: 'users', why: 'what a person may see by the time the file is written' },
          { from: 'exports', to: 'auth', files: ['sealed-secret.ts'], why: 'a link opens a file without a session' },
          {
            from: 'ingest',
            to: 'service-events',
            files: ['new-service-event.ts', 'service-events.store.ts'],
            why: 'a raise becomes a service event',
          },
          { from: 'ingest', to: 'users', why: 'component usage is kept only while a flag lets somebody see it' },
          {
            from: 'ingest',
            to: 'registry',
            files: ['full-support.ts'],
            why: 'whether the contract promises help around the clock is stored on the event as it is raised',
          },
          {
            from: 'event-emails',
            to: 'service-events',
            files: ['service-events.service.ts', 'service-events.store.ts'],
            why: 'a mail tells what an event says, and is recorded on it',
          },
          { from: 'event-emails', to: 'users', why: 'whom an event may be mailed to, and whose address may be shown' },
          { from: 'event-emails', to: 'messages', files: ['mail-frame.ts'], why: 'mails go out in the shared frame' },
          {
            from: 'auth',
            to: 'messages',
            files: ['mail-texts.ts'],
            why: 'codes and notices go out in the shared frame',
          },
          {
            from: 'account',
            to: 'auth',
            files: [
              'attempts.ts',
              'credential.store.ts',
              'identity-provider.ts',
              'new-password.ts',
              'one-time-code.ts',
              'origin.ts',
              'password-hash.ts',
              'password.store.ts',
              'provider-session.ts',
              'second-factor.store.ts',
              'session.store.ts',
              'totp.ts',
            ],
            why: 'people change by themselves what they sign in with, by the rules and limits of signing in',
          },
          { from: 'account', to: 'messages', files: ['mail-texts.ts'], why: 'and are told by mail what changed' },
          { from: 'administration', to: 'messages', files: ['mail-texts.ts'], why: 'so do invitations' },
          {
            from: 'administration',
            to: 'auth',
            files: [
              'api-tokens.store.ts',
              'password-hash.ts',
              'password.store.ts',
              'second-factor.store.ts',
              'session.store.ts',
              'sign-in-failure.store.ts',
              'temporary-password.ts',
            ],
            why: 'administrators invite, unlock and disable, and make tokens',
          },
          {
            from: 'administration',
            to: 'ingest',
            files: ['gateway-keys.store.ts', 'gateway-keys.ts'],
            why: 'administrators make and revoke keys of gateways',
          },
          {
            from: 'administration',
            to: 'users',
            files: ['feature-flags.store.ts', 'users.store.ts'],
            why: 'administrators keep users and flags',
          },
        ],
      },
    },
    web: {
      root: 'packages/web/src/',
      below: {
        main: ['app', 'routes', 'features', 'ui', 'lib'],
        app: ['routes', 'features', 'ui', 'lib'],
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
        door: /\.api\.ts$/,
        doorName: '*.api.ts',
        arrows: [
          { from: 'service-events', to: 'users', why: 'owners to choose from, and who is looking' },
          {
            from: 'service-events',
            to: 'instruments',
            why: 'what instruments do now, and the gateway behind an event',
          },
          {
            from: 'service-events',
            to: 'event-emails',
            files: ['email-dropdown.tsx', 'share-button.tsx'],
            why: 'what was mailed about an event, and mailing it to a colleague, stand beside it',
          },
          {
            from: 'service-events',
            to: 'exports',
            files: ['export-button.tsx'],
            why: 'the list and a selection of it as a file',
          },
          {
            from: 'service-events',
            to: 'views',
            files: ['applied-view.ts', 'view-menu.tsx', 'viewed-list.ts'],
            why: 'the list as it is set up, under a name',
          },
          {
            from: 'service-events',
            to: 'logs',
            files: ['view-logs.tsx'],
            why: 'what the instrument wrote around an event stands beside it',
          },
          { from: 'event-emails', to: 'users', why: 'receivers to choose from' },
          // Not the other way: the screen hands the map to the list (routes/events.tsx).
          {
            from: 'event-map',
            to: 'service-events',
            files: [
              'event-list-header.tsx',
              'event-list-request.ts',
              'event-text.ts',
              'event-time.tsx',
              'event-toasts.ts',
              'map-view.ts',
              'new-events-bar.tsx',
              'new-events.ts',
              'service-event-cache.ts',
              'service-events.search.ts',
              'severity-badge.tsx',
              'severity-shape.tsx',
              'use-now.ts',
            ],
            why: 'another picture of the same list',
          },
          // Not the other way: the screen hands bulk changes to the list (routes/events.tsx).
          {
            from: 'bulk-changes',
            to: 'service-events',
            files: ['close-event-form.ts', 'close-event-fields.tsx', 'event-selection.ts', 'event-owner.ts'],
            why: 'the same form and rules as for one event',
          },
          { from: 'bulk-changes', to: 'users', why: 'owners to choose from' },
          {
            from: 'administration',
            to: 'registry',
            why: 'customers of a data scope to choose from, and the gateways whose keys are kept',
          },
        ],
      },
    },
  },

  packages: [
    {
      name: 'zod',
      within: /^packages\/web\//,
      why: 'zod costs 86 kB at the first route; the server has already checked what it answers',
    },
    { name: 'react', within: /^packages\/(contract|samples|server|gateway)\//, why: 'only the web app draws' },
  ],

  // ── Files ────────────────────────────────────────────────────────────────────────────────────────────────────────
  fileLines: { source: 400, test: 500 },
  longFiles: {},
  bannedNames: ['utils', 'util', 'helpers', 'helper', 'common', 'misc', 'manager', 'types'],
  // Configuration files are read by their tools under no name.
  defaultExportFiles: [/\.config\.ts$/],

  environmentReaders: [
    { files: /^packages\/server\/src\/config\.ts$/, why: 'the configuration of the server' },
    { files: /^packages\/server\/src\/(main|cli\/[^/]+)\.ts$/, why: 'hands the environment to the configuration' },
    { files: /^packages\/server\/src\/testing\//, why: 'keeps what a test started apart from the machine' },
    { files: /^packages\/gateway\/src\/(config|main)\.ts$/, why: 'the configuration of the gateway' },
    { files: /^scripts\//, why: 'commands of the repository, which run before any configuration' },
    { files: /^(e2e|bench)\//, why: 'drive the product from outside' },
    { files: /\.config\.ts$/, why: 'configuration of tools' },
  ],

  // ── Database ─────────────────────────────────────────────────────────────────────────────────────────────────────
  database: {
    packages: ['kysely', 'pg', 'pg-copy-streams', 'graphile-worker'],
    schema: 'packages/server/src/db/schema/',
    files: [
      { files: /^packages\/server\/src\/db\//, why: 'the layer of the database' },
      { files: /\.(queries|store|lookup)\.ts$/, why: 'reads for screens, writes, questions of other features' },
      { files: /\/filters\.ts$/, why: 'the one predicate builder' },
      {
        files: /^packages\/server\/src\/(seed|testing)\//,
        why: 'fill the database by COPY; make and drop test databases',
      },
      {
        files: /^bench\//,
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
    ],
  },

  // ── Names ────────────────────────────────────────────────────────────────────────────────────────────────────────
  featureNames: {
    rooms: {
      contract:
        /^packages\/contract\/src\/(?!(?:case-url|errors|event-details|page-settings|password-policy|paths|patterns|primitives|route|routes|vocabulary)\.ts$)([a-z0-9-]+)\.ts$/,
      server: /^packages\/server\/src\/features\/([^/]+)\//,
      web: /^packages\/web\/src\/features\/([^/]+)\//,
    },
    exceptions: {
      ingest: { absentFrom: ['web'], why: 'gateways call it, no screen does' },
      system: { absentFrom: ['web'], why: 'health and readiness, for those who run the product' },
      'event-map': { absentFrom: ['contract', 'server'], why: 'another picture of the list of service events' },
      live: { absentFrom: ['web'], why: 'app/live holds the connection; each feature has its own live.ts' },
      account: { absentFrom: ['web'], why: 'settings come with their screen' },
      audit: { absentFrom: ['contract', 'web'], why: 'is read by a command; an event shows its part as its history' },
    },
  },
}
